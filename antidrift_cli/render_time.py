"""When a session ends and how long that is to go, as a person reads it."""

from datetime import datetime

from antidrift_cli.durations import format_secs
from protocol.methods import ExtendParams
from protocol.views import Evidence, State


def local_time(moment: datetime) -> str:
    """Return a moment as the wall clock here shows it, `HH:MM`."""
    return moment.astimezone().strftime("%H:%M")


def length_secs(evidence: Evidence) -> float:
    """Return how long the session is."""
    return evidence.ontask_secs + evidence.drift_secs + evidence.unjudged_secs + evidence.away_secs


def time_left(state: State) -> str:
    """Return how long the session has to go, or how far it is over; that stands still in a pause.

    Counted to the moment at which the daemon counted its evidence, so no clock is read here.
    """
    commitment, evidence = state.commitment, state.evidence
    if not commitment or not evidence:
        return ""
    secs = (commitment.ends_at - (commitment.paused_at or evidence.as_of)).total_seconds()
    return f"{format_secs(secs)} left" if secs >= 0 else f"overtime {format_secs(-secs)}"


def time_to_go(state: State) -> str:
    """Return how long the session has to go, and until when unless a pause puts that off."""
    commitment = state.commitment
    if not commitment:
        return ""
    until = "paused" if commitment.paused_at else f"until {local_time(commitment.ends_at)}"
    return f"{time_left(state)}, {until}"


def extended_text(params: ExtendParams, state: State) -> str:
    """Return by how much a session was extended, and how long it has to go now."""
    given = [format_secs(params.secs)] if params.secs else []
    if params.away:
        given.append(f"{format_secs(state.absence.secs) if state.absence else 'the time'} away")
    to_go = f": {time_to_go(state)}" if state.commitment else ""
    return f"extended by {' and '.join(given)}{to_go}"

"""What of the state can be seen from outside: a new revision is due when this changes."""

from antidriftd.core.drift.state import Drift
from antidriftd.core.state import Active, Planning, Review, State


def looks_different(before: State, after: State) -> bool:
    """Return whether a client would see a difference; a new window is the cheapest to notice."""
    return before.window != after.window or surface(before) != surface(after)


def surface(state: State) -> tuple[object, ...]:
    """Return a value that differs whenever a client would see a difference.

    The running totals are left out: they grow by themselves, and clients count along.
    """
    return (
        state.sensor,
        state.window,
        tuple((notice.topic, notice.text) for notice in state.notices),
        state.saving.durable or not state.saving.settled,
        state.utc_offset,
        state.phase.name,
        state.custody,
        (state.tasks.status, state.tasks.error, state.tasks.items, state.tasks.asked),
        *_phase_surface(state),
    )


def _phase_surface(state: State) -> tuple[object, ...]:
    match state.phase:
        case Planning(intent=intent, coaching=coaching):
            seen = state.grounding
            profile = (seen.status, seen.path, len(seen.text), seen.code)
            return (intent, coaching.status, coaching.error, coaching.proposal, profile)
        case Active(session=session, drift=drift, stale=stale, nudge=nudge, away=away):
            absent = (away and (away.reason, away.since), state.phase.absence)
            times = (session.started, session.ends, stale, nudge.text, nudge.at, absent)
            return (*times, session.allowances, session.evidence.switches, *_drift_surface(drift))
        case Review(session=session):
            return (session.session_id,)
        case _:
            return ()


def _drift_surface(drift: Drift) -> tuple[object, ...]:
    shown = None if drift.open is None else (drift.open.window, drift.open.reason, drift.open.since)
    return (drift.status, drift.reason, drift.since, drift.episodes, shown)

"""Absences: when one begins, what it makes of the time before, and what is said on return.

Idle hands are an absence after `idle_secs`, and then from the last input on. On task it takes ten
minutes: people read, and listen. A drift goes on being one: a film is watched with idle hands. A
locked screen, a sleeping machine and a pause are absences from their first second.
"""

from collections.abc import Mapping

from antidriftd.core import evidence as totals
from antidriftd.core import ledger
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.events import InputSeen, MachineSleeps, ScreenLocked
from antidriftd.core.model import Moment
from antidriftd.core.notices import ABSENCE_TOPIC, PAUSE_TOPIC, notify, withdraw
from antidriftd.core.presence_state import Absence, Away, AwayReason, Presence
from antidriftd.core.replacing import replace
from antidriftd.core.state import Active, Session, State
from antidriftd.core.timekeeping import AWAY_LIMIT_SECS, go_stale

ONTASK_IDLE_SECS = 600.0
TOLD_FROM_SECS = 60.0
"""A shorter absence needs no word."""

REMIND_AFTER_SECS = 15 * 60.0
REMINDER = "paused for 15 minutes by now; go on with: antidrift resume"
_CLOCK_JITTER_SECS = 1.0

_SAID: Mapping[AwayReason, str] = {
    "idle": "no key was touched",
    "locked": "the screen was locked",
    "asleep": "the machine slept",
    "paused": "paused",
}


def observed(state: State, event: InputSeen | ScreenLocked | MachineSleeps, now: Moment) -> State:
    """Return the state with what the desktop tells taken in."""
    presence = state.presence
    match event:
        case InputSeen(idle_secs=None):
            presence = replace(presence, last_input=None, touched=None)
        case InputSeen(idle_secs=float() | int() as secs):
            presence = _touched(presence, secs, now)
        case ScreenLocked(locked=locked):
            presence = replace(presence, locked=locked)
        case MachineSleeps(asleep=asleep):
            presence = replace(presence, asleep=asleep)
    return replace(state, presence=presence)


def _touched(presence: Presence, idle_secs: float, now: Moment) -> Presence:
    """Return what is known of input; the time asleep alone makes none."""
    touched, before = now.mono - idle_secs, presence.touched
    if before is not None and touched <= before + _CLOCK_JITTER_SECS:
        return presence
    return replace(presence, last_input=now.boot - idle_secs, touched=touched)


def is_here(state: State, now: Moment) -> State:
    """Return the state after a command: whoever gave it sits there."""
    if state.presence.last_input is None:
        return state
    return replace(state, presence=_touched(state.presence, 0.0, now))


def follow_up(before: State, state: State, now: Moment) -> State:
    """Return the state with an absence begun or ended where that is so, and told of."""
    active = state.phase
    if not isinstance(active, Active) or active.stale:
        return state
    if active.away is None:
        begun = _begun(state, active, now)
        state = state if begun is None else _leave(state, active, begun, now)
    elif active.pause is not None:
        state = _remind(state, active, active.pause, now)
    elif _is_over(state, active.away):
        state = _come_back(state, active, now)
    return _tell_absence(before, state)


def _begun(state: State, active: Active, now: Moment) -> Away | None:
    presence = state.presence
    if presence.asleep or presence.locked:
        return Away("asleep" if presence.asleep else "locked", now.boot)
    if presence.last_input is None or active.drift.status == "drifting":
        return None
    on_task = active.drift.status == "ontask"
    limit = max(ONTASK_IDLE_SECS, state.rules.idle_secs) if on_task else state.rules.idle_secs
    since = max(presence.last_input, active.session.started)
    return Away("idle", since) if now.boot - since >= limit else None


def _is_over(state: State, away: Away) -> bool:
    presence = state.presence
    if presence.asleep or presence.locked:
        return False
    if away.reason != "idle" or presence.last_input is None:
        return True
    return presence.last_input > away.since + _CLOCK_JITTER_SECS


def _leave(state: State, active: Active, away: Away, now: Moment) -> State:
    """Return the state with the time since the absence began no longer counted as anything else."""
    session = active.session
    spans, moved = ledger.turn_away(session.spans, away.since)
    evidence = session.evidence
    for span in moved:
        evidence = totals.move(evidence, span.secs, span.window_class, span.bucket, "away")
    session = replace(session, spans=spans, evidence=evidence)
    return replace(state, phase=replace(active, session=session, away=away))


def _come_back(state: State, active: Active, now: Moment) -> State:
    """Return the state after an absence; one of four hours leaves the session stale."""
    away = active.away
    if away is None:
        return state
    secs = now.boot - away.since
    active = replace(active, away=None)
    state = withdraw(state, PAUSE_TOPIC)
    if secs >= AWAY_LIMIT_SECS:
        session = _without_absence(active.session, away.since)
        return replace(state, phase=go_stale(replace(active, session=session), now))
    absence = Absence(away.reason, away.since, secs)
    return replace(state, phase=replace(active, absence=absence))


def _tell_absence(before: State, state: State) -> State:
    """Return the state with a line on an absence that is over only now."""
    absence = _absence(state)
    if absence is None or absence == _absence(before) or absence.added:
        return state
    if absence.reason == "paused" or absence.secs < TOLD_FROM_SECS:
        return state
    text = (
        f"you were away for {absence.secs / 60:.0f} min ({_SAID[absence.reason]}), which counts as "
        "neither focus nor drift; `antidrift extend --away` adds it to the time"
    )
    return notify(state, ABSENCE_TOPIC, text, is_event=True)


def _absence(state: State) -> Absence | None:
    return state.phase.absence if isinstance(state.phase, Active) else None


def _without_absence(session: Session, since: float) -> Session:
    spans, gone = ledger.cut_absence(session.spans, since)
    evidence = session.evidence
    for span in gone:
        evidence = totals.take(evidence, span.secs, span.window_class, span.bucket)
    return replace(session, spans=spans, evidence=evidence)


# --- by hand ---------------------------------------------------------------------------------


def pause(state: State, active: Active, now: Moment) -> State:
    """Return the state with the timebox and the judging stopped.

    Raises:
        TransitionRefused: it is paused already, or was left behind.
    """
    if active.pause is not None:
        raise TransitionRefused("invalid_value", "it is paused already: `antidrift resume` goes on")
    _require_fresh(active)
    return _leave(state, replace(active, away=None), Away("paused", now.boot), now)


def resume(state: State, active: Active, now: Moment) -> State:
    """Return the state with the session going on, and its end later by the pause.

    Raises:
        TransitionRefused: it isn't paused, or was left behind.
    """
    _require_fresh(active)
    pause = active.pause
    if pause is None:
        message = "nothing is paused: `antidrift pause` stops the time"
        raise TransitionRefused("invalid_value", message)
    session = active.session
    ends = session.ends + now.boot - pause.since
    if state.notified.told_end == session.ends:
        # It was over before the pause, and that has been told.
        state = replace(state, notified=replace(state.notified, told_end=ends))
    return _come_back(state, replace(active, session=replace(session, ends=ends)), now)


def clock_stands_at(active: Active, now: Moment) -> float:
    """Return the time of the timebox (`boot`): it stands still in a pause."""
    return now.boot if active.pause is None else active.pause.since


def added_absence(active: Active) -> tuple[Active, float]:
    """Return the session with its last absence used up, and how long that was.

    Raises:
        TransitionRefused: there is none that could be added.
    """
    absence = active.absence
    if absence is None or absence.added or absence.reason == "paused":
        message = "there is no absence to add; give a length: `antidrift extend 10m`"
        raise TransitionRefused("invalid_value", message)
    return replace(active, absence=replace(absence, added=True)), absence.secs


def _require_fresh(active: Active) -> None:
    if active.stale:
        message = (
            "this session was left behind: go on with `antidrift extend 25m`, "
            "or end it with `antidrift complete`"
        )
        raise TransitionRefused("invalid_value", message)


def _remind(state: State, active: Active, away: Away, now: Moment) -> State:
    if away.reminded or now.boot - away.since < REMIND_AFTER_SECS:
        return state
    state = notify(state, PAUSE_TOPIC, REMINDER)
    return replace(state, phase=replace(active, away=replace(away, reminded=True)))


def wait_secs(active: Active, now: Moment) -> float | None:
    """Return in how many seconds somebody is to be reminded of a pause; None for never."""
    pause = active.pause
    if pause is None or pause.reminded:
        return None
    return pause.since + REMIND_AFTER_SECS - now.boot

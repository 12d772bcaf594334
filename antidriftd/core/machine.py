"""The machine: `transition` decides everything, `next_deadline` says when time alone will."""

from typing import NamedTuple, assert_never

from antidriftd.core import (
    hooks,
    judging,
    noticing,
    notifying,
    nudging,
    presence,
    recording,
    requests,
    saving,
)
from antidriftd.core.commands import apply_command
from antidriftd.core.custody_state import CustodyChanged
from antidriftd.core.drift import pipeline, unanswered
from antidriftd.core.effects import Effect, KeepEvidence, SaveSnapshot, UseDisplay
from antidriftd.core.events import (
    Command,
    Event,
    HistoryFailed,
    HistoryWritten,
    HookEnded,
    InputSeen,
    JudgmentFailed,
    JudgmentReturned,
    MachineSleeps,
    NudgeFailed,
    NudgeReturned,
    Observation,
    PlanningAnswer,
    ScreenLocked,
    SensorChanged,
    SnapshotFailed,
    SnapshotSaved,
    TimeElapsed,
    WindowFocused,
    WorkDone,
)
from antidriftd.core.focus import believe_blank, look_again, sensor_changed, window_focused
from antidriftd.core.model import Moment
from antidriftd.core.notices import mark_told
from antidriftd.core.planning import answers as planning
from antidriftd.core.replacing import replace
from antidriftd.core.state import Active, State
from antidriftd.core.surface import looks_different
from antidriftd.core.timekeeping import OVERTIME_LIMIT_SECS, keep_time


class Transition(NamedTuple):
    """The state after an event, and what has to be done about it, in order."""

    state: State
    effects: tuple[Effect, ...] = ()


def transition(state: State, event: Event, now: Moment) -> Transition:
    """Return what follows from `event` at `now`.

    Raises:
        TransitionRefused: a command that may not happen; the state stays as it was.
    """
    current = keep_time(state, now)
    if current.blank_at is not None and now.mono >= current.blank_at:
        current = believe_blank(current, now)
    if isinstance(event, Command):
        return _command(state, current, event, now)
    current = _follow_rules(state, _observe(current, event, now), now)
    if looks_different(state, current):
        current = replace(current, revision=state.revision + 1)
    current, save = saving.follow_up(state, current, now)
    return Transition(current, _effects(state, current, event, now, save=save))


def _command(state: State, current: State, command: Command, now: Moment) -> Transition:
    changed = apply_command(current, command, now)
    if changed is current:
        # Nothing to do is no refusal, but no news either.
        return Transition(state)
    changed = presence.is_here(look_again(mark_told(changed)), now)
    changed = _follow_rules(state, replace(changed, commanded_at=now.mono), now)
    changed = saving.command_given(replace(changed, revision=state.revision + 1), now)
    return Transition(changed, _effects(state, changed, command, now, save=True))


def _follow_rules(before: State, state: State, now: Moment) -> State:
    state = presence.follow_up(before, state, now)
    state = nudging.follow_up(judging.run_rules(state, now), now)
    return recording.follow_up(notifying.follow_up(state, now), now)


def _observe(state: State, event: Observation, now: Moment) -> State:
    match event:
        case WindowFocused(window=window):
            return window_focused(state, window, now)
        case JudgmentReturned() | JudgmentFailed():
            return judging.answered(state, event, now)
        case NudgeReturned() | NudgeFailed():
            return nudging.answered(state, event, now)
        case SensorChanged(health=health):
            return sensor_changed(state, health, now)
        case InputSeen() | ScreenLocked() | MachineSleeps():
            return presence.observed(state, event, now)
        case TimeElapsed():
            return state
        case _ if isinstance(event, PlanningAnswer):
            return planning.answered(state, event)
        case _:
            return _hear_of_work(state, event, now)


def _hear_of_work(state: State, event: WorkDone, now: Moment) -> State:
    match event:
        case SnapshotSaved() | SnapshotFailed():
            return saving.answered(state, event, now)
        case HistoryWritten() | HistoryFailed():
            return recording.answered(state, event, now)
        case HookEnded():
            return hooks.ended(state, event)
        case CustodyChanged(status=status):
            return replace(state, custody=status)
        case _:
            assert_never(event)


# --- effects and deadlines ------------------------------------------------------------------


def _effects(
    before: State, after: State, event: Event, now: Moment, *, save: bool
) -> tuple[Effect, ...]:
    effects: list[Effect] = [SaveSnapshot()] if save else []
    if after.display is not None and after.display != before.display:
        effects.append(UseDisplay(after.display))
    effects += requests.changes(before, after, event, now)
    effects += notifying.changes(before, after)
    effects += recording.changes(before, after)
    effects += hooks.changes(before, after, event)
    effects += map(KeepEvidence, noticing.changes(before, after, event))
    return tuple(effects)


def next_deadline(state: State, now: Moment) -> float | None:
    """Return in how many seconds (0 or more) time alone changes something; None for never."""
    due = [state.blank_at, state.saving.retry_at, state.recording.retry_at]
    if isinstance(state.phase, Active) and not state.phase.stale:
        due += [state.saving.checkpoint_at, *_session_deadlines(state, state.phase, now)]
    times = [at for at in due if at is not None]
    return max(0.0, min(times) - now.mono) if times else None


def _session_deadlines(state: State, active: Active, now: Moment) -> list[float | None]:
    waits = [notifying.wait_secs(state, now)]
    if active.pause is None:
        waits.append(active.session.ends + OVERTIME_LIMIT_SECS - now.boot)
    if active.away is not None:
        waits.append(presence.wait_secs(active, now))
        return _deadlines(waits, now)
    opened, counted_to = active.drift.open, active.session.evidence.as_of.mono
    if opened is not None and active.drift.status == "ontask":
        left_secs = pipeline.OPEN_DRIFT_ENDS_AFTER_SECS - opened.ontask_secs
        waits.append(counted_to + left_secs - now.mono)
    dropped_in = unanswered.dropped_in_secs(active.drift)
    if dropped_in is not None:
        waits.append(counted_to + dropped_in - now.mono)
    waits.append(nudging.wait_secs(state, now))
    return [active.drift.wake_at, *_deadlines(waits, now)]


def _deadlines(waits: list[float | None], now: Moment) -> list[float | None]:
    return [None if wait is None else now.mono + wait for wait in waits]

"""The machine: `transition` decides everything, `next_deadline` says when time alone will."""

from dataclasses import dataclass, replace

from antidriftd.core import hooks, judging, notifying, nudging, requests, saving
from antidriftd.core.commands import apply_command
from antidriftd.core.drift import pipeline, unanswered
from antidriftd.core.effects import Effect, SaveSnapshot, UseDisplay
from antidriftd.core.events import (
    Command,
    Event,
    HookEnded,
    JudgmentFailed,
    JudgmentReturned,
    NudgeFailed,
    NudgeReturned,
    Observation,
    SensorChanged,
    SnapshotFailed,
    SnapshotSaved,
    TimeElapsed,
    WindowFocused,
)
from antidriftd.core.focus import believe_blank, window_focused
from antidriftd.core.model import Moment
from antidriftd.core.notices import mark_told
from antidriftd.core.planning import answers as planning
from antidriftd.core.state import Active, State
from antidriftd.core.surface import surface
from antidriftd.core.timekeeping import OVERTIME_LIMIT_SECS, keep_time


@dataclass(frozen=True, slots=True)
class Transition:
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
    current = _follow_rules(_observe(current, event, now), now)
    if surface(current) != surface(state):
        current = replace(current, revision=state.revision + 1)
    current, save = saving.follow_up(state, current, now)
    return Transition(current, _effects(state, current, event, now, save=save))


def _command(state: State, current: State, command: Command, now: Moment) -> Transition:
    changed = apply_command(current, command, now)
    if changed is current:
        # Nothing to do is no refusal, but no news either.
        return Transition(state)
    changed = _follow_rules(replace(mark_told(changed), commanded_at=now.mono), now)
    changed = saving.command_given(replace(changed, revision=state.revision + 1), now)
    return Transition(changed, _effects(state, changed, command, now, save=True))


def _follow_rules(state: State, now: Moment) -> State:
    state = nudging.follow_up(judging.run_rules(state, now), now)
    return notifying.follow_up(state, now)


def _observe(state: State, event: Observation, now: Moment) -> State:
    match event:
        case JudgmentReturned() | JudgmentFailed():
            return judging.answered(state, event, now)
        case NudgeReturned() | NudgeFailed():
            return nudging.answered(state, event, now)
        case WindowFocused(window=window):
            return window_focused(state, window, now)
        case SensorChanged(health=health):
            changed = replace(state, sensor=health)
            return changed if health.ok else believe_blank(changed, now)
        case SnapshotSaved() | SnapshotFailed():
            return saving.answered(state, event, now)
        case HookEnded():
            return hooks.ended(state, event)
        case TimeElapsed():
            return state
        case _:
            return planning.answered(state, event)


# --- effects and deadlines ------------------------------------------------------------------


def _effects(
    before: State, after: State, event: Event, now: Moment, *, save: bool
) -> tuple[Effect, ...]:
    effects: list[Effect] = [SaveSnapshot()] if save else []
    if after.display is not None and after.display != before.display:
        effects.append(UseDisplay(after.display))
    return (
        *effects,
        *requests.changes(before, after, event, now),
        *notifying.changes(before, after),
        *hooks.changes(before, after, event),
    )


def next_deadline(state: State, now: Moment) -> float | None:
    """Return in how many seconds (0 or more) time alone changes something; None for never."""
    due = [state.blank_at, state.saving.retry_at]
    if isinstance(state.phase, Active) and not state.phase.stale:
        active = state.phase
        overtime_ends = active.session.ends + OVERTIME_LIMIT_SECS
        due += [
            active.drift.wake_at,
            state.saving.checkpoint_at,
            now.mono + overtime_ends - now.boot,
        ]
        opened = active.drift.open
        if opened is not None and active.drift.status == "ontask":
            counted_to = active.session.evidence.as_of.mono
            due.append(counted_to + pipeline.OPEN_DRIFT_ENDS_AFTER_SECS - opened.ontask_secs)
        dropped_in = unanswered.dropped_in_secs(active.drift)
        if dropped_in is not None:
            due.append(active.session.evidence.as_of.mono + dropped_in)
        for wait in (nudging.wait_secs(state, now), notifying.wait_secs(state, now)):
            due.append(None if wait is None else now.mono + wait)
    times = [at for at in due if at is not None]
    return max(0.0, min(times) - now.mono) if times else None

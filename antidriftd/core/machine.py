"""The machine: `transition` decides everything, `next_deadline` says when time alone will."""

from dataclasses import dataclass, replace
from typing import assert_never

from antidriftd.core import saving
from antidriftd.core.commands import apply_command
from antidriftd.core.drift import pipeline
from antidriftd.core.drift.sight import look
from antidriftd.core.drift.state import Question
from antidriftd.core.effects import AskJudge, Effect, EndJudgment, SaveSnapshot, UseDisplay
from antidriftd.core.events import (
    Command,
    Event,
    JudgmentFailed,
    JudgmentReturned,
    Observation,
    SensorChanged,
    SnapshotFailed,
    SnapshotSaved,
    TimeElapsed,
    WindowFocused,
)
from antidriftd.core.focus import believe_blank, scene_of, window_focused
from antidriftd.core.model import Moment
from antidriftd.core.notices import JUDGE_TOPIC, mark_told, notify, withdraw
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
    current = _run_rules(_observe(current, event, now), now)
    if surface(current) != surface(state):
        current = replace(current, revision=state.revision + 1)
    current, save = saving.follow_up(current, now)
    return Transition(current, _effects(state, current, event, save=save))


def _command(state: State, current: State, command: Command, now: Moment) -> Transition:
    changed = apply_command(current, command, now)
    if changed is current:
        # Nothing to do is no refusal, but no news either.
        return Transition(state)
    changed = _run_rules(replace(mark_told(changed), commanded_at=now.mono), now)
    changed = saving.command_given(replace(changed, revision=state.revision + 1), now)
    return Transition(changed, _effects(state, changed, command, save=True))


def _observe(state: State, event: Observation, now: Moment) -> State:
    match event:
        case WindowFocused(window=window):
            return window_focused(state, window, now)
        case SensorChanged(health=health):
            changed = replace(state, sensor=health)
            return changed if health.ok else believe_blank(changed, now)
        case JudgmentReturned():
            return _judgment_returned(state, event, now)
        case JudgmentFailed():
            return _judgment_failed(state, event, now)
        case SnapshotSaved(revision=revision):
            return saving.saved(state, revision)
        case SnapshotFailed():
            return saving.failed(state, event, now)
        case TimeElapsed():
            return state
        case _:
            assert_never(event)


# --- the judge ------------------------------------------------------------------------------


def _judgment_returned(state: State, event: JudgmentReturned, now: Moment) -> State:
    active, question = state.phase, _question(state)
    if not isinstance(active, Active) or question is None or question.id != event.question_id:
        return state
    asked = look(question.window, state.rules, active.session.allowances)
    drift = pipeline.answered(active.drift, event.verdict, asked, scene_of(state, active, now))
    state = replace(
        state,
        phase=replace(active, drift=drift),
        budget=pipeline.judgment_succeeded(state.budget),
    )
    return withdraw(state, JUDGE_TOPIC)


def _judgment_failed(state: State, event: JudgmentFailed, now: Moment) -> State:
    active, question = state.phase, _question(state)
    if not isinstance(active, Active) or question is None or question.id != event.question_id:
        return state
    state = replace(
        state,
        phase=replace(active, drift=pipeline.failed(active.drift, now)),
        budget=pipeline.judgment_failed(state.budget, now),
    )
    return notify(state, JUDGE_TOPIC, f"the advisor gave no verdict: {event.detail}")


def _question(state: State) -> Question | None:
    return state.phase.drift.question if isinstance(state.phase, Active) else None


def _run_rules(state: State, now: Moment) -> State:
    if not isinstance(state.phase, Active) or state.phase.stale:
        return state
    active = state.phase
    scene = scene_of(state, active, now)
    ruling = pipeline.run_rules(active.drift, scene)
    if ruling.drift is active.drift and not ruling.ask:
        return state
    if not ruling.ask or scene.sight is None:
        return replace(state, phase=replace(active, drift=ruling.drift))
    drift = pipeline.ask(ruling.drift, state.next_question, scene.sight, scene)
    return replace(
        state,
        phase=replace(active, drift=drift),
        budget=pipeline.begin_judgment(state.budget, state.rules, now),
        next_question=state.next_question + 1,
    )


# --- effects and deadlines ------------------------------------------------------------------


def _effects(before: State, after: State, event: Event, *, save: bool) -> tuple[Effect, ...]:
    effects: list[Effect] = [SaveSnapshot()] if save else []
    if after.display is not None and after.display != before.display:
        effects.append(UseDisplay(after.display))
    old, new = _question(before), _question(after)
    if old is not None and old != new and not _answers(event, old):
        effects.append(EndJudgment(old.id))
    if new is not None and new != old and isinstance(after.phase, Active):
        effects.append(AskJudge(new.id, after.phase.session.commitment, new.window))
    return tuple(effects)


def _answers(event: Event, question: Question) -> bool:
    return isinstance(event, JudgmentReturned | JudgmentFailed) and event.question_id == question.id


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
    times = [at for at in due if at is not None]
    return max(0.0, min(times) - now.mono) if times else None

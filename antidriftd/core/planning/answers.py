"""What comes back in planning: a proposal, the profile, the tasks; late ones change nothing."""

from typing import assert_never

from antidriftd.core import texts
from antidriftd.core.durations import checked_secs
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.events import (
    CoachFailed,
    CoachReturned,
    PlanningAnswer,
    ProfileFailed,
    ProfileLoaded,
    TasksFailed,
    TasksFetched,
)
from antidriftd.core.model import Proposal
from antidriftd.core.planning_state import Coaching, Grounding, TaskList
from antidriftd.core.replacing import replace
from antidriftd.core.rules import Rules
from antidriftd.core.state import Planning, State


def answered(state: State, event: PlanningAnswer) -> State:
    """Return the state with an answer taken in, if it is still wanted."""
    match event:
        case CoachReturned() | CoachFailed():
            return _coach_answered(state, event)
        case ProfileLoaded() | ProfileFailed():
            return _profile_answered(state, event)
        case TasksFetched() | TasksFailed():
            return _tasks_answered(state, event)
        case _:
            assert_never(event)


def _coach_answered(state: State, event: CoachReturned | CoachFailed) -> State:
    planning = state.phase
    if not isinstance(planning, Planning) or planning.coaching.request != event.request:
        return state
    match event:
        case CoachReturned(proposal=proposal):
            coaching = _proposed(proposal, state.rules)
        case CoachFailed(detail=detail):
            coaching = Coaching("error", error=detail)
    return replace(state, phase=replace(planning, coaching=coaching))


def _proposed(proposal: Proposal, rules: Rules) -> Coaching:
    """Return the proposal, ready for `start` to take, or what is wrong with it.

    Browsers are dropped from it: as a class they would excuse every page.
    """
    try:
        allowed = texts.checked_allowances("class", proposal.allowed_window_classes)
        usable = Proposal(
            next_action=texts.checked_text("the next action", proposal.next_action),
            success_condition=texts.checked_optional_text(
                "the success condition", proposal.success_condition
            ),
            timebox_secs=checked_secs("the timebox", proposal.timebox_secs),
            allowed_window_classes=tuple(
                entry.value for entry in allowed if entry.value.casefold() not in rules.browsers
            ),
        )
    except TransitionRefused as flaw:
        return Coaching("error", error=f"what the coach proposed can't be started: {flaw}")
    return Coaching("ready", proposal=usable)


def _profile_answered(state: State, event: ProfileLoaded | ProfileFailed) -> State:
    if state.grounding.request != event.request:
        return state
    match event:
        case ProfileLoaded(profile=profile):
            grounding = Grounding(
                "ready" if profile.text else "absent", path=profile.path, text=profile.text
            )
        case ProfileFailed(path=path, code=code):
            grounding = Grounding("error", path=path, code=code)
    return replace(state, grounding=grounding)


def _tasks_answered(state: State, event: TasksFetched | TasksFailed) -> State:
    tasks = state.tasks
    if tasks.request != event.request:
        return state
    match event:
        case TasksFetched(tasks=items):
            done = TaskList("ready" if items else "empty", items=items, asked=tasks.asked)
        case TasksFailed(detail=detail):
            done = TaskList("error", error=detail, asked=tasks.asked)
    return replace(state, tasks=done)

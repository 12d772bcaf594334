"""The requests that a state has open; what begins and ends is the difference of two states."""

from antidriftd.core.effects import (
    AskCoach,
    AskJudge,
    AskNudger,
    EndRequest,
    FetchTaskList,
    LoadProfile,
    Request,
)
from antidriftd.core.events import Answer, Event
from antidriftd.core.model import Moment
from antidriftd.core.nudging import digest_of
from antidriftd.core.state import Active, Planning, State


def changes(
    before: State, after: State, event: Event, now: Moment
) -> tuple[EndRequest | Request, ...]:
    """Return what to end and what to begin; one that `event` answers has ended by itself."""
    old, new = _open(before, now), _open(after, now)
    if not old and not new:
        return ()
    answered = event.request if isinstance(event, Answer) else None
    ended = [EndRequest(id_) for id_ in old if id_ not in new and id_ != answered]
    begun = [request for id_, request in new.items() if id_ not in old]
    return (*ended, *begun)


def begin_all(state: State, now: Moment) -> tuple[Request, ...]:
    """Return what to begin for a state that was restored."""
    return tuple(_open(state, now).values())


def _open(state: State, now: Moment) -> dict[int, Request]:
    """Return what is under way, by its id."""
    found: list[Request] = []
    tasks, grounding = state.tasks, state.grounding
    if tasks.request is not None:
        found.append(FetchTaskList(tasks.request))
    match state.phase:
        case Planning(intent=intent, coaching=coaching):
            if grounding.request is not None:
                found.append(LoadProfile(grounding.request, state.profile_path))
            waits = coaching.awaits_profile and grounding.status == "pending"
            if coaching.request is not None and not waits:
                found.append(AskCoach(coaching.request, intent, grounding.text))
        case Active(nudge=nudge, drift=drift) as active:
            plan = active.session.commitment
            if nudge.request is not None:
                found.append(AskNudger(nudge.request, plan, digest_of(active, now)))
            if drift.question is not None:
                found.append(AskJudge(drift.question.id, plan, drift.question.window))
        case _:
            pass
    return {request.request: request for request in found}

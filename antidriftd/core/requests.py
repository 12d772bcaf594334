"""Which requests a state has open; what begins and ends follows from the difference of two."""

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
    old, new = _open(before), _open(after)
    answered = event.request if isinstance(event, Answer) else 0
    ended = [EndRequest(request) for request in old if request not in new and request != answered]
    begun = [_begin(after, request, now) for request in new if request not in old]
    return (*ended, *begun)


def begin_all(state: State, now: Moment) -> tuple[Request, ...]:
    """Return what to begin for a state that was restored."""
    return tuple(_begin(state, request, now) for request in _open(state))


def _open(state: State) -> list[int]:
    """Return the ids of the requests that are under way."""
    ids = [state.tasks.request]
    match state.phase:
        case Planning(coaching=coaching):
            ids += [state.grounding.request, coaching.request]
        case Active(drift=drift, nudge=nudge):
            ids += [nudge.request, 0 if drift.question is None else drift.question.id]
        case _:
            pass
    return [request for request in ids if request]


def _begin(state: State, request: int, now: Moment) -> Request:
    match state.phase:
        case Planning(intent=intent, coaching=coaching) if coaching.request == request:
            return AskCoach(request, intent, state.grounding.text)
        case Planning() if state.grounding.request == request:
            return LoadProfile(request, state.profile_path)
        case Active(nudge=nudge) as active if nudge.request == request:
            return AskNudger(request, active.session.commitment, digest_of(active, now))
        case Active(session=session, drift=drift) if drift.question is not None:
            if drift.question.id == request:
                return AskJudge(request, session.commitment, drift.question.window)
        case _:
            pass
    return FetchTaskList(request)

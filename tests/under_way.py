"""What a machine has under way: requests that nobody has answered or ended yet."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from antidriftd.core import events
from antidriftd.core.effects import (
    AskCoach,
    AskJudge,
    AskNudger,
    Effect,
    EndRequest,
    FetchTaskList,
    LoadProfile,
    Request,
)

_ANSWERS: Mapping[type[Request], tuple[type[events.Answer], ...]] = {
    AskJudge: (events.JudgmentReturned, events.JudgmentFailed),
    AskCoach: (events.CoachReturned, events.CoachFailed),
    AskNudger: (events.NudgeReturned, events.NudgeFailed),
    LoadProfile: (events.ProfileLoaded, events.ProfileFailed),
    FetchTaskList: (events.TasksFetched, events.TasksFailed),
}

_R = TypeVar("_R", bound=Request)


class UnderWay:
    """Follows events and effects, and checks them.

    No id comes twice, only what is under way is ended, and one question at a time is put to the
    judge or the nudger.
    """

    def __init__(self, requests: Iterable[Request]) -> None:
        self._requests: dict[int, Request] = {}
        self._known: set[int] = set()
        self.follow(*requests)

    def awaits(self, answer: events.Answer) -> bool:
        """Return whether this answers a request; an answer of another kind doesn't."""
        request = self._requests.get(answer.request)
        return request is not None and isinstance(answer, _ANSWERS[type(request)])

    def answer(self, event: events.Event) -> None:
        """Take in what may be the answer to a request."""
        if isinstance(event, events.Answer) and self.awaits(event):
            del self._requests[event.request]

    def follow(self, *effects: Effect) -> None:
        """Take in what is to be begun and ended."""
        for effect in effects:
            match effect:
                case EndRequest(request=request):
                    del self._requests[request]
                case AskJudge() | AskNudger() | AskCoach() | LoadProfile() | FetchTaskList():
                    assert effect.request not in {0, *self._known}
                    self._known.add(effect.request)
                    self._requests[effect.request] = effect
                case _:
                    pass
        assert len(self.all_of(AskJudge)) + len(self.all_of(AskNudger)) <= 1

    def all_of(self, kind: type[_R]) -> list[_R]:
        """Return the requests of this kind, in the order in which they began."""
        return [request for request in self._requests.values() if isinstance(request, kind)]

    def only(self, kind: type[_R]) -> _R:
        """Return the one request of this kind."""
        (request,) = self.all_of(kind)
        return request

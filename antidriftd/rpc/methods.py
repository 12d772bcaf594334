"""What each method does, between the wire and the engine."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec
import trio

from antidriftd.core.errors import TransitionRefused
from antidriftd.core.events import (
    CancelPlanning,
    Command,
    CompleteSession,
    CondemnContext,
    FetchTasks,
    PauseSession,
    ResumeSession,
)
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.rpc import commands, learned, learning, why, wire
from antidriftd.rpc.handlers import Handler, Look, taking, taking_nothing
from antidriftd.runtime.checkup import Checkup
from antidriftd.runtime.engine import Engine
from antidriftd.runtime.experience import PastAnswers
from antidriftd.runtime.learning.learner import Learner
from antidriftd.runtime.requests import Requests
from protocol import methods as shapes
from protocol import views
from protocol.errors import RpcError
from protocol.jsonrpc import Request

_P = TypeVar("_P", bound=shapes.Params)

_COMMANDS: Mapping[str, tuple[type[Any], Callable[[Any], Command]]] = MappingProxyType(
    {
        "plan": (shapes.PlanParams, commands.enter_planning),
        "coach": (shapes.CoachParams, commands.request_coach),
        "tasks": (shapes.NoParams, lambda _: FetchTasks()),
        "knowledge_path": (shapes.KnowledgePathParams, commands.select_profile),
        "start": (shapes.StartParams, commands.start_session),
        "ontask": (shapes.AnswerParams, commands.allow_context),
        "offtask": (shapes.NoParams, lambda _: CondemnContext()),
        "disallow": (shapes.AnswerParams, commands.disallow_context),
        "refocus": (shapes.RefocusParams, commands.refocus),
        "extend": (shapes.ExtendParams, commands.extend_session),
        "pause": (shapes.NoParams, lambda _: PauseSession()),
        "resume": (shapes.NoParams, lambda _: ResumeSession()),
        "complete": (shapes.NoParams, lambda _: CompleteSession()),
        "review": (shapes.ReviewParams, commands.close_review),
        "cancel": (shapes.NoParams, lambda _: CancelPlanning()),
        "display": (shapes.DisplayParams, commands.offer_display),
    }
)
"""What asks for a command: the shape of its params, and how they become one."""


class Methods:
    """Serves the methods of one engine."""

    def __init__(
        self,
        engine: Engine,
        requests: Requests,
        about: wire.About,
        checkup: Checkup,
        past: PastAnswers,
        learner: Learner | None,
    ) -> None:
        self._engine = engine
        self._requests = requests
        self._checkup = checkup
        self._past = past
        self._info = wire.info_view(about)
        self._config = wire.config_view(about)
        self._looks: dict[str, Look] = {
            "state": taking_nothing(self._state),
            "info": taking_nothing(self._tell_info),
            # that more states follow is the connection's part
            "watch": taking_nothing(self._state),
            "why": taking(shapes.WhyParams, self._why),
            "config": taking_nothing(self._tell_config),
        }
        self._handlers: dict[str, Handler] = {
            **{name: self._command(kind, build) for name, (kind, build) in _COMMANDS.items()},
            "learned": taking_nothing(self._learned),
            "unlearn": taking(shapes.UnlearnParams, self._unlearn),
            "doctor": taking_nothing(self._doctor),
            **learning.handlers(engine, learner),
        }

    def only_looks(self, method: str) -> bool:
        """Return whether a method is answered at once, by `look`."""
        return method in self._looks

    def look(self, request: Request) -> msgspec.Struct:
        """Return the result of a request for a method that only looks.

        Raises:
            RpcError: it can't be served; the message says why.
        """
        try:
            return self._looks[request.method](request)
        except TransitionRefused as refusal:
            raise RpcError(refusal.kind, str(refusal)) from refusal

    async def call(self, request: Request) -> msgspec.Struct:
        """Return the result of any request.

        Raises:
            RpcError: it can't be served; the message says why, and nothing has changed.
        """
        if self.only_looks(request.method):
            return self.look(request)
        handler = self._handlers.get(request.method)
        if handler is None:
            import difflib  # only for those who mistype

            nearest = difflib.get_close_matches(request.method[:64], shapes.METHODS, n=3)
            hint = f"did you mean {' or '.join(nearest)}?" if nearest else "see docs/protocol.md"
            raise RpcError("method_not_found", f"there is no such method; {hint}")
        try:
            return await handler(request)
        except TransitionRefused as refusal:
            raise RpcError(refusal.kind, str(refusal)) from refusal
        except CustodyError as error:
            raise RpcError("custody", str(error)) from error

    def runtime(self) -> str:
        """Return the runtime state, which every error tells."""
        return self._engine.runtime

    def _state(self) -> views.State:
        return wire.state_view(self._engine.look())

    def _tell_info(self) -> views.Info:
        state = self._engine.state
        return msgspec.structs.replace(
            self._info,
            knowledge_path=state.profile_path or self._info.knowledge_path,
            seen_classes=state.seen_classes,
        )

    def _why(self, params: shapes.WhyParams) -> views.Why:
        tell = why.preview if params.preview else why.explain
        return tell(self._engine.published(), self._requests)

    async def _learned(self) -> views.Learned:
        return learned.view_of(enumerate(await self._past.lessons(), start=1))

    async def _unlearn(self, params: shapes.UnlearnParams) -> views.Learned:
        return await learned.forget(self._past, params)

    def _tell_config(self) -> views.Config:
        return self._config

    async def _doctor(self) -> views.Diagnosis:
        try:
            found = await self._checkup.examine(lambda: self._engine.state)
        except trio.WouldBlock:
            message = "somebody else has the daemon look at itself right now; try again"
            raise RpcError("too_busy", message) from None
        return wire.diagnosis_view(found)

    def _command(self, kind: type[_P], build: Callable[[_P], Command]) -> Handler:
        async def execute(params: _P) -> views.State:
            return wire.state_view(await self._engine.execute(build(params)))

        return taking(kind, execute)

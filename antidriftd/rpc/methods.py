"""What each method does, between the wire and the engine."""

from collections.abc import Awaitable, Callable, Mapping
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
    TimeElapsed,
)
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.rpc import commands, learned, learning, why, wire
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
_Handler = Callable[[Request], Awaitable[msgspec.Struct]]


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
        self._handlers: dict[str, _Handler] = {
            **{name: self._command(kind, build) for name, (kind, build) in _COMMANDS.items()},
            "state": self._state,
            "info": self._tell_info,
            "watch": self._state,  # that more states follow is the connection's part
            "why": self._why,
            "learned": self._learned,
            "unlearn": self._unlearn,
            "config": self._tell_config,
            "doctor": self._doctor,
            **learning.handlers(engine, learner),
        }

    async def call(self, request: Request) -> msgspec.Struct:
        """Return the result of `request`.

        Raises:
            RpcError: it can't be served; the message says why, and nothing has changed.
        """
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

    async def _state(self, request: Request) -> views.State:
        shapes.decode_params(shapes.NoParams, request)
        # Time may have passed unnoticed, as in a suspend; what that changes has to show.
        self._engine.dispatch(TimeElapsed())
        return wire.state_view(self._engine.published())

    async def _tell_info(self, request: Request) -> views.Info:
        shapes.decode_params(shapes.NoParams, request)
        state = self._engine.state
        return msgspec.structs.replace(
            self._info,
            knowledge_path=state.profile_path or self._info.knowledge_path,
            seen_classes=state.seen_classes,
        )

    async def _why(self, request: Request) -> views.Why:
        params = shapes.decode_params(shapes.WhyParams, request)
        tell = why.preview if params.preview else why.explain
        return tell(self._engine.published(), self._requests)

    async def _learned(self, request: Request) -> views.Learned:
        shapes.decode_params(shapes.NoParams, request)
        return learned.view_of(enumerate(await self._past.lessons(), start=1))

    async def _unlearn(self, request: Request) -> views.Learned:
        params = shapes.decode_params(shapes.UnlearnParams, request)
        return await learned.forget(self._past, params)

    async def _tell_config(self, request: Request) -> views.Config:
        shapes.decode_params(shapes.NoParams, request)
        return self._config

    async def _doctor(self, request: Request) -> views.Diagnosis:
        shapes.decode_params(shapes.NoParams, request)
        try:
            found = await self._checkup.examine(lambda: self._engine.state)
        except trio.WouldBlock:
            message = "somebody else has the daemon look at itself right now; try again"
            raise RpcError("too_busy", message) from None
        return wire.diagnosis_view(found)

    def _command(self, kind: type[_P], build: Callable[[_P], Command]) -> _Handler:
        async def handle(request: Request) -> views.State:
            command = build(shapes.decode_params(kind, request))
            return wire.state_view(await self._engine.execute(command))

        return handle

"""One client: its requests are served in order, at once where nothing has to be waited for."""

import logging
import math
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import msgspec
import trio
from msgspec import Raw, UnsetType

from antidriftd.rpc.methods import Methods
from antidriftd.rpc.outbox import Outbox
from antidriftd.rpc.readiness import Readiness
from antidriftd.runtime.hub import Hub
from protocol import jsonrpc, views
from protocol.connection import MAX_REPLY_BYTES, MAX_REQUEST_BYTES, FrameTooLong, LineReader
from protocol.errors import ErrorKind, RpcError
from protocol.jsonrpc import Invalid, Request

_log = logging.getLogger(__name__)

FRAME_SECS = 10.0
"""How long a client may take to finish a request that it has begun."""

_TURN_REQUESTS = 8
"""How many requests of one client are served before all others have had their turn."""

_CHUNK_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Service:
    """What all clients are served with; `nursery` has the tasks of those who have to wait."""

    methods: Methods
    hub: Hub
    readiness: Readiness
    nursery: trio.Nursery


class Connection:
    """Serves one accepted socket, which it closes at the end.

    While nothing comes but whole requests that can be answered at once, it has no task: to wake
    one costs more than the answer. For all else it has one, until that is done.
    """

    def __init__(
        self, sock: socket.socket, service: Service, closed: Callable[["Connection"], None]
    ) -> None:
        self._sock = sock
        self._service = service
        self._closed = closed
        self._outbox = Outbox(sock, service.nursery)
        self._reader = LineReader(MAX_REQUEST_BYTES)
        self._lines: deque[bytes] = deque()
        self._problem = ""
        self._is_over = False
        """Whether nothing more is read: the client has ended its side, or broken a rule."""
        self._frame_due = math.inf
        self._watched: int | None = None
        """The revision of the state that the client was told when it began to watch."""
        self._is_subscribed = False

    def open(self) -> None:
        """Serve from now on, until the client is gone or has broken a rule."""
        self._service.readiness.watch(self._sock, self._read)
        self._read()  # most have asked already

    def close(self) -> None:
        """Serve no more."""
        self._service.readiness.unwatch(self._sock)
        self._service.hub.unsubscribe(self._outbox)
        self._outbox.close()
        self._closed(self)

    def _read(self) -> None:
        """Take what has come; serve at once what can be, and the rest in a task."""
        try:
            if not self._outbox.has_rest:
                self._receive()
                self._serve_at_once()
        except BlockingIOError:
            return
        except Exception as error:
            self._give_up(error)
            return
        if self._lines or self._problem or self._reader.begun or self._outbox.has_rest:
            self._service.readiness.unwatch(self._sock)
            self._service.nursery.start_soon(self._serve_rest)
        elif self._is_over:
            self.close()

    def _receive(self) -> None:
        data = self._sock.recv(_CHUNK_BYTES)
        try:
            lines = self._reader.receive(data)
        except FrameTooLong as error:
            # Not the error itself: it and this frame would hold each other.
            lines, self._problem = error.lines, str(error)
        if lines:
            self._lines += lines
            self._frame_due = math.inf
        self._is_over = not data or bool(self._problem)

    def _serve_at_once(self) -> None:
        """Serve what can be, and no more than a turn of it."""
        methods, lines = self._service.methods, self._lines
        for _ in range(min(len(lines), _TURN_REQUESTS)):
            request = jsonrpc.decode(lines[0])
            if (
                not isinstance(request, Request)
                or not methods.only_looks(request.method)
                or self._outbox.has_rest
            ):
                return
            lines.popleft()
            try:
                reply = self._answered(request, methods.look(request))
            except Exception as error:
                reply = self._failed(request, error)
            self._reply(reply)

    async def _serve_rest(self) -> None:
        """Serve what has to be waited for; after that, what comes is served at once again."""
        try:
            await self._serve_lines()
            while self._reader.begun and not self._is_over:
                await self._receive_in_time()
                await self._serve_lines()
            if self._problem:
                self._reply(self._failure(jsonrpc.NULL_ID, "invalid_request", self._problem))
            await self._outbox.wait_empty()
        except Exception as error:
            self._give_up(error)
            return
        if self._is_over:
            self.close()
        else:
            self._frame_due = math.inf
            self._service.readiness.watch(self._sock, self._read)

    async def _serve_lines(self) -> None:
        served = 0
        while self._lines:
            await self._outbox.wait_empty()
            await self._serve(self._lines.popleft())
            served += 1
            if served % _TURN_REQUESTS == 0:
                await trio.lowlevel.checkpoint()

    async def _receive_in_time(self) -> None:
        """Wait for more of a frame that has begun; it is over when that comes too late."""
        self._frame_due = min(self._frame_due, trio.current_time() + FRAME_SECS)
        with trio.move_on_at(self._frame_due) as waiting:
            await trio.lowlevel.wait_readable(self._sock)
        if waiting.cancelled_caught:
            self._is_over = True
            return
        with suppress(BlockingIOError):
            self._receive()

    async def _serve(self, line: bytes) -> None:
        match jsonrpc.decode(line):
            case list() as batch:
                reply = await self._answer_batch(batch)
            case single:
                reply = await self._answer(single)
        self._reply(reply)

    def _reply(self, reply: bytes) -> None:
        if reply:
            self._outbox.reply(reply)
        if self._watched is not None and not self._is_subscribed:
            # Only now: a client sees the State it asked for before what follows it.
            self._is_subscribed = True
            self._outbox.skip_to(self._watched)
            self._service.hub.subscribe(self._outbox, since=self._watched)

    def _give_up(self, error: Exception) -> None:
        if isinstance(error, OSError | trio.ClosedResourceError):
            _log.debug("a client is gone: %s", error)
        else:
            _log.error("a client's connection failed", exc_info=error)
        self.close()

    async def _answer_batch(self, batch: list[Request | Invalid]) -> bytes:
        """Return the answers as a line; empty when there are none."""
        answers: list[bytes] = []
        room = MAX_REPLY_BYTES
        for request in batch:
            answer = await self._answer(request)
            room -= len(answer)
            # A small batch can ask for a lot: what can't be sent isn't kept either.
            if answer and room > 0:
                answers.append(answer)
            await trio.lowlevel.checkpoint()
        if room > 0:
            return jsonrpc.encode_batch(answers)
        message = "the batch was carried out, but its answer would be larger than 1 MiB"
        return self._failure(jsonrpc.NULL_ID, "invalid_request", message)

    async def _answer(self, request: Request | Invalid) -> bytes:
        """Return the answer as a line; empty for a notification."""
        if isinstance(request, Invalid):
            error_object = request.error.in_runtime(self._service.methods.runtime())
            return jsonrpc.encode_error(jsonrpc.NULL_ID, error_object)
        try:
            return self._answered(request, await self._service.methods.call(request))
        except Exception as error:
            return self._failed(request, error)

    def _answered(self, request: Request, result: msgspec.Struct) -> bytes:
        answer = jsonrpc.encode_result(_id(request), result)
        if request.method == "watch" and isinstance(result, views.State):
            self._watched = self._watched or result.revision
        return b"" if request.is_notification else answer

    def _failed(self, request: Request, error: Exception) -> bytes:
        if isinstance(error, RpcError):
            answer = self._failure(_id(request), error.kind, error.message)
        else:
            _log.error("%s failed", request.method, exc_info=error)
            message = "a bug in the daemon; its log has more"
            answer = self._failure(_id(request), "internal_error", message)
        return b"" if request.is_notification else answer

    def _failure(self, request_id: Raw, kind: ErrorKind, message: str) -> bytes:
        error = RpcError(kind, message, self._service.methods.runtime())
        return jsonrpc.encode_error(request_id, error.to_object())


def _id(request: Request) -> Raw:
    return jsonrpc.NULL_ID if isinstance(request.id, UnsetType) else request.id

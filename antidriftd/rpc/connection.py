"""One client: reads requests, has them served in order, writes the answers."""

import logging
import math
import socket

import trio
from msgspec import Raw, UnsetType

from antidriftd.rpc.methods import Methods
from antidriftd.rpc.outbox import Outbox
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


class Connection:
    """Serves one accepted socket, which it closes at the end.

    What can be received, answered and sent at once is: a trip through Trio costs more than a
    request. `nursery` is for what a slow reader makes necessary.
    """

    def __init__(
        self, sock: socket.socket, *, methods: Methods, hub: Hub, nursery: trio.Nursery
    ) -> None:
        self._sock = sock
        self._methods = methods
        self._hub = hub
        self._outbox = Outbox(sock, nursery)
        self._reader = LineReader(MAX_REQUEST_BYTES)
        self._frame_due = math.inf
        self._turn = 0
        """How many requests it has served in its turn."""
        self._watched: int | None = None
        """The revision of the last state that a watching client was sent."""

    async def run(self) -> None:
        """Serve until the client is gone or has broken a rule; never raises an error."""
        try:
            await self._serve_lines()
            await self._outbox.wait_empty()
        except (OSError, trio.ClosedResourceError) as error:
            _log.debug("a client is gone: %s", error)
        except Exception:
            _log.exception("a client's connection failed")
        finally:
            self._hub.unsubscribe(self)
            self._outbox.close()

    def offer(self, revision: int, frame: bytes) -> None:
        """Send the state of `revision` to this client, if it is news to it."""
        if self._watched is not None and revision > self._watched:
            self._watched = revision
            self._outbox.offer(frame)

    async def _serve_lines(self) -> None:
        while data := await self._receive():
            try:
                lines, problem = self._reader.receive(data), ""
            except FrameTooLong as error:
                # Not the error itself: it and this frame would hold each other.
                lines, problem = error.lines, str(error)
            for line in lines:
                await self._serve(line)
                await self._take_turn()
            if problem:
                failure = self._failure(jsonrpc.NULL_ID, "invalid_request", problem)
                await self._outbox.reply(failure)
                return
            if lines:
                self._frame_due = math.inf
            else:
                # Who sends without an end and never a request must not keep others waiting.
                await trio.lowlevel.checkpoint()

    async def _receive(self) -> bytes:
        """Return the next bytes; empty when the client is done or too slow to finish a frame."""
        while True:
            try:
                return self._sock.recv(_CHUNK_BYTES)
            except BlockingIOError:
                self._turn = 0
            if not self._reader.begun:
                self._frame_due = math.inf
                await trio.lowlevel.wait_readable(self._sock)
                continue
            self._frame_due = min(self._frame_due, trio.current_time() + FRAME_SECS)
            with trio.move_on_at(self._frame_due) as waiting:
                await trio.lowlevel.wait_readable(self._sock)
            if waiting.cancelled_caught:
                return b""

    async def _take_turn(self) -> None:
        """Let all others have theirs, once this client's has been long."""
        self._turn += 1
        if self._turn >= _TURN_REQUESTS:
            self._turn = 0
            await trio.lowlevel.checkpoint()

    async def _serve(self, line: bytes) -> None:
        watched = self._watched
        match jsonrpc.decode(line):
            case list() as batch:
                reply = await self._answer_batch(batch)
            case single:
                reply = await self._answer(single)
        if reply:
            await self._outbox.reply(reply)
        if watched is None and self._watched is not None:
            # Only now: a client sees the State it asked for before what follows it.
            self._hub.subscribe(self, since=self._watched)

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
            await self._take_turn()
        if room > 0:
            return jsonrpc.encode_batch(answers)
        message = "the batch was carried out, but its answer would be larger than 1 MiB"
        return self._failure(jsonrpc.NULL_ID, "invalid_request", message)

    async def _answer(self, request: Request | Invalid) -> bytes:
        """Return the answer as a line; empty for a notification."""
        if isinstance(request, Invalid):
            error_object = request.error.in_runtime(self._methods.runtime())
            return jsonrpc.encode_error(jsonrpc.NULL_ID, error_object)
        try:
            result = await self._methods.call(request)
            answer = jsonrpc.encode_result(_id(request), result)
            if request.method == "watch" and isinstance(result, views.State):
                self._watched = self._watched or result.revision
        except RpcError as error:
            answer = self._failure(_id(request), error.kind, error.message)
        except Exception:
            _log.exception("%s failed", request.method)
            message = "a bug in the daemon; its log has more"
            answer = self._failure(_id(request), "internal_error", message)
        return b"" if request.is_notification else answer

    def _failure(self, request_id: Raw, kind: ErrorKind, message: str) -> bytes:
        error = RpcError(kind, message, self._methods.runtime())
        return jsonrpc.encode_error(request_id, error.to_object())


def _id(request: Request) -> Raw:
    return jsonrpc.NULL_ID if isinstance(request.id, UnsetType) else request.id

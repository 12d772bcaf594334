"""Connections to a daemon, as a script would use them: lines of JSON out and in."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import trio

State: TypeAlias = dict[str, Any]

PATIENCE_SECS = 30.0
"""How long anything may take before a test gives up on it."""


class Refused(Exception):
    """The daemon answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.kind: str = error["data"]["kind"]
        self.runtime: str | None = error["data"].get("runtime")


class Gone(Exception):
    """The daemon has closed the connection."""


class Client:
    """One connection to a daemon."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._buffer = b""
        self._last_id = 0

    async def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        await self._stream.send_all(data)

    async def end_sending(self) -> None:
        """Tell the daemon that no more will come; it can still answer."""
        await self._stream.send_eof()

    async def receive(self) -> Any:
        """Return the next line, decoded.

        Raises:
            Gone: there will be none.
        """
        with trio.fail_after(PATIENCE_SECS):
            while b"\n" not in self._buffer:
                data = await self._receive_some()
                if not data:
                    raise Gone(repr(self._buffer))
                self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return json.loads(line)

    async def receive_rest(self) -> bytes:
        """Return all that comes until the daemon closes the connection."""
        with trio.fail_after(PATIENCE_SECS):
            while data := await self._receive_some():
                self._buffer += data
        rest, self._buffer = self._buffer, b""
        return rest

    async def _receive_some(self) -> bytes:
        # A daemon that closes while something of ours is unread resets the connection.
        with suppress(trio.BrokenResourceError):
            return bytes(await self._stream.receive_some(65_536))
        return b""

    async def request(self, method: str, /, **params: Any) -> State:
        """Return the result of `method`; states that a watching connection gets are passed over.

        Raises:
            Refused: it was answered with an error.
            Gone: it was not answered.
        """
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        # One that was turned away has its answer before it asks.
        with suppress(trio.BrokenResourceError):
            await self.send(json.dumps(message, ensure_ascii=False).encode() + b"\n")
        while True:
            reply = await self.receive()
            if "method" in reply:
                continue
            if "error" in reply:
                raise Refused(reply["error"])
            assert reply["id"] == self._last_id
            result: State = reply["result"]
            return result

    async def next_state(self) -> State:
        """Return the next state that a watching connection is sent."""
        message = await self.receive()
        assert message["method"] == "state"
        state: State = message["params"]
        return state


class States:
    """What a watching connection is sent: the state at the start, then each that follows."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._watches = False

    def __aiter__(self) -> "States":
        return self

    async def __anext__(self) -> State:
        if self._watches:
            return await self._client.next_state()
        self._watches = True
        return await self._client.request("watch")


@asynccontextmanager
async def open_client(socket: Path) -> AsyncIterator[Client]:
    """Connect to the daemon that listens at `socket`, waiting while its backlog is full."""
    async with await connect(socket) as stream:
        yield Client(stream)


async def connect(socket: Path) -> trio.SocketStream:
    """Connect to the daemon that listens at `socket`, waiting while its backlog is full."""
    with trio.fail_after(PATIENCE_SECS):
        while True:
            stream = await trio.open_unix_socket(socket)
            try:
                stream.socket.getpeername()
            except OSError:
                # Trio takes the EAGAIN of a full backlog (connect(2)) for a connection.
                await stream.aclose()
                await trio.sleep(0.01)
            else:
                return stream

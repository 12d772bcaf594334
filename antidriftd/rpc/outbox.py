"""What is written to one client: replies in order, and of states only the newest."""

import socket
from contextlib import suppress

import trio

STALLED_AFTER_SECS = 10.0
"""A reader that takes nothing for so long is dropped."""

_NOTHING = memoryview(b"")


class Outbox:
    """Sends at once what the socket takes; what is left has a task that ends when it is sent.

    A frame that has begun is always finished; before the next one begins, older states have been
    replaced by the newest. So a reader that stops costs one frame, one reply and one state.
    """

    def __init__(self, sock: socket.socket, nursery: trio.Nursery) -> None:
        self._sock = sock
        self._nursery = nursery
        self._rest = _NOTHING
        self._reply = b""
        self._newest = b""
        self._emptied: trio.Event | None = None
        """There while something is left, and for good once the reader was dropped."""

    async def reply(self, frame: bytes) -> None:
        """Send a reply, before any state that has not begun; return once all is sent.

        Raises:
            BrokenPipeError: the client has stopped reading.
        """
        if self._emptied is None:
            self._send(frame)
        else:
            self._reply = frame
        if self._emptied is not None:
            await self.wait_empty()

    def offer(self, frame: bytes) -> None:
        """Send a state, unless a newer one comes before its turn."""
        if self._emptied is None:
            self._send(frame)
        else:
            self._newest = frame

    async def wait_empty(self) -> None:
        """Wait until everything is sent.

        Raises:
            BrokenPipeError: the client has stopped reading.
        """
        if self._emptied is not None:
            await self._emptied.wait()
        if self._sock.fileno() < 0:
            raise BrokenPipeError("the client stopped reading")

    def _send(self, frame: bytes) -> None:
        try:
            sent = self._sock.send(frame)
        except BlockingIOError:
            sent = 0
        except OSError:
            return  # the reading side learns of it too
        if sent < len(frame):
            self._rest = memoryview(frame)[sent:]
            self._emptied = trio.Event()
            self._nursery.start_soon(self._flush, self._emptied)

    async def _flush(self, emptied: trio.Event) -> None:
        try:
            while self._rest or self._take_next():
                with trio.fail_after(STALLED_AFTER_SECS):
                    await trio.lowlevel.wait_writable(self._sock)
                with suppress(BlockingIOError):
                    self._rest = self._rest[self._sock.send(self._rest) :]
            self._emptied = None
        except trio.TooSlowError:
            self.close()
        except (OSError, trio.ClosedResourceError):
            # Nothing more is ever sent; what the client asked for before it went is still done.
            self._rest, self._reply, self._newest, self._emptied = _NOTHING, b"", b"", None
        emptied.set()

    def close(self) -> None:
        """Close the socket, and end what waits for it."""
        if self._emptied is not None:
            trio.lowlevel.notify_closing(self._sock)
        self._sock.close()

    def _take_next(self) -> bool:
        if self._reply:
            self._rest, self._reply = memoryview(self._reply), b""
        elif self._newest:
            self._rest, self._newest = memoryview(self._newest), b""
        return bool(self._rest)

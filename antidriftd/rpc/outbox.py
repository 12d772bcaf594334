"""What is written to one client: replies in order, and of states only the newest."""

import socket
from collections import deque

import trio

STALLED_AFTER_SECS = 10.0
"""A reader that takes nothing for so long is dropped."""


class Outbox:
    """Sends at once what the socket takes, and keeps the rest for one flushing task.

    A frame that has begun is always finished; before the next one begins, older states have been
    replaced by the newest. So a reader that stops costs one frame and one state.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._begun = memoryview(b"")
        self._replies: deque[bytes] = deque()
        self._newest: bytes | None = None
        self._full = trio.Event()
        self._empty = trio.Event()
        self._empty.set()

    def reply(self, frame: bytes) -> None:
        """Send a reply, after those before it."""
        self._replies.append(frame)
        self._pump()

    def offer(self, frame: bytes) -> None:
        """Send a state, unless a newer one comes before its turn."""
        self._newest = frame
        self._pump()

    async def wait_empty(self) -> None:
        """Wait until everything is sent."""
        await self._empty.wait()

    async def flush(self) -> None:
        """Send what didn't fit, until the connection breaks or its reader has stalled."""
        while True:
            await self._full.wait()
            with trio.move_on_after(STALLED_AFTER_SECS) as waiting:
                await trio.lowlevel.wait_writable(self._sock)
            if waiting.cancelled_caught:
                raise BrokenPipeError("the client stopped reading")
            self._full = trio.Event()
            self._pump()

    def _pump(self) -> None:
        if self._full.is_set():
            return  # the flushing task is waiting for room
        while self._begun or self._take_next():
            try:
                sent = self._sock.send(self._begun)
            except (BlockingIOError, InterruptedError):
                self._stop()
                return
            except OSError:
                # The reading side learns of it too; nothing more is ever sent.
                self._begun = memoryview(b"")
                self._replies.clear()
                self._newest = None
                break
            self._begun = self._begun[sent:]
        self._empty.set()

    def _stop(self) -> None:
        self._full.set()
        if self._empty.is_set():
            self._empty = trio.Event()

    def _take_next(self) -> bool:
        if self._replies:
            self._begun = memoryview(self._replies.popleft())
        elif self._newest is not None:
            self._begun, self._newest = memoryview(self._newest), None
        return bool(self._begun)

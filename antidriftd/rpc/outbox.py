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

    # All of a watcher that a state meets on its way: small, as there may be a thousand.
    __slots__ = (
        "_emptied",
        "_is_stalled",
        "_newest",
        "_nursery",
        "_replies",
        "_rest",
        "_sock",
        "_told",
    )

    def __init__(self, sock: socket.socket, nursery: trio.Nursery) -> None:
        self._sock = sock
        self._nursery = nursery
        self._rest = _NOTHING
        self._replies = b""
        self._newest = b""
        self._emptied: trio.Event | None = None
        """There while something is left, and for good once the reader has stalled."""
        self._is_stalled = False
        self._told = 0
        """The revision of the newest state that was offered."""

    @property
    def has_rest(self) -> bool:
        """Whether something is left; whoever asks then has to wait until it is sent."""
        return self._emptied is not None

    def offer(self, revision: int, frame: bytes) -> None:
        """Send a state if it is news, unless a newer one comes before its turn."""
        if revision <= self._told:
            return
        self._told = revision
        if self._emptied is None:
            self._send(frame)
        else:
            self._newest = frame

    def reply(self, frame: bytes) -> None:
        """Send a reply, before any state that has not begun."""
        if self._emptied is None:
            self._send(frame)
        else:
            self._replies += frame

    def skip_to(self, revision: int) -> None:
        """Take the state of `revision` for known."""
        self._told = revision

    async def wait_empty(self) -> None:
        """Wait until everything is sent.

        Raises:
            BrokenPipeError: the client has stopped reading.
        """
        while self._emptied is not None:
            await self._emptied.wait()
            if self._is_stalled:
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
            self._is_stalled = True
            with suppress(OSError):
                # Has the reading side look, and end the connection.
                self._sock.shutdown(socket.SHUT_RDWR)
        except (OSError, trio.ClosedResourceError):
            # Nothing more is ever sent; what the client asked for before it went is still done.
            self._rest, self._replies, self._newest, self._emptied = _NOTHING, b"", b"", None
        emptied.set()

    def close(self) -> None:
        """Close the socket, and end the task if there is one."""
        if self._emptied is not None:
            trio.lowlevel.notify_closing(self._sock)
        self._sock.close()

    def _take_next(self) -> bool:
        if self._replies:
            self._rest, self._replies = memoryview(self._replies), b""
        else:
            self._rest, self._newest = memoryview(self._newest), b""
        return bool(self._rest)

"""A queue between threads whose reader can wait for other things too."""

import socket
from collections import deque
from contextlib import suppress
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """What others put in, taken out in order; `fileno` is readable while something is in it.

    It holds a few hundred items (a socket's buffer is full then). Whoever puts more waits, so that
    a slow reader slows down the daemon's side and doesn't fill the memory.
    """

    def __init__(self) -> None:
        self._items: deque[T] = deque()
        self._out, self._in = socket.socketpair()

    def fileno(self) -> int:
        """Return the descriptor to poll."""
        return self._out.fileno()

    def put(self, item: T) -> None:
        """Add `item`; nothing happens once the inbox is closed."""
        self._items.append(item)
        with suppress(OSError):
            self._in.send(b"\0")

    def take(self) -> T:
        """Remove and return the oldest item; waits for one."""
        self._out.recv(1)
        return self._items.popleft()

    def close(self) -> None:
        """Let go of it, whoever still wants to put something in."""
        self._out.close()
        self._in.close()

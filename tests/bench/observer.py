"""A client that keeps asking, and a watcher beside it, both read by one loop."""

import os
import select
import socket
import time
from dataclasses import dataclass, field

from tests.bench.streams import PATIENCE_SECS, STATE_REQUEST, NothingCame

_ASK_EVERY_SECS = 0.002


@dataclass(slots=True)
class Asked:
    """A server that is asked again and again, and how long each answer took."""

    sock: socket.socket
    took_secs: list[float] = field(default_factory=list)
    _asked_at: float = 0.0
    _waits: bool = False

    def ask_again(self) -> None:
        """Ask, unless an answer is due or the last question was only just asked."""
        now = time.perf_counter()
        if not self._waits and now - self._asked_at >= _ASK_EVERY_SECS:
            self._asked_at, self._waits = now, True
            self.sock.sendall(STATE_REQUEST)

    def take(self) -> None:
        """Take what has come of an answer."""
        if self.sock.recv(1 << 20).endswith(b"\n"):
            self._waits = False
            self.took_secs.append(time.perf_counter() - self._asked_at)


@dataclass(slots=True)
class Watched:
    """What a watcher was sent: when each state came, and all of it."""

    sock: socket.socket
    came_at: list[float] = field(default_factory=list)
    received: bytes = b""

    def take(self) -> None:
        """Take what has come of states."""
        data = self.sock.recv(1 << 20)
        self.received += data
        self.came_at += [time.perf_counter()] * data.count(b"\n")

    def most_in_a_second(self) -> int:
        """Return the most states that came within any second."""
        return max(sum(0 <= at - began < 1 for at in self.came_at) for began in self.came_at)


def observe(asked: list[Asked], watched: Watched, last: bytes, done: int) -> float:
    """Ask and watch until the watcher has the state with `last` in it.

    Returns:
        How long that took from the line that appears on the descriptor `done`, in seconds; less
        than nothing when it came before.
    """
    takes = {server.sock.fileno(): server.take for server in asked}
    takes[watched.sock.fileno()] = watched.take
    done_at = seen_at = 0.0
    end = time.perf_counter() + PATIENCE_SECS
    with select.epoll() as poll:
        for descriptor in (*takes, done):
            poll.register(descriptor, select.EPOLLIN)
        while not (done_at and seen_at):
            for server in asked:
                server.ask_again()
            for descriptor, _ in poll.poll(_ASK_EVERY_SECS):
                if descriptor == done:
                    os.read(done, 4096)
                    done_at = time.perf_counter()
                else:
                    takes[descriptor]()
            if not seen_at and last in watched.received:
                seen_at = time.perf_counter()
            if time.perf_counter() > end:
                raise NothingCame(repr(last))
    return seen_at - done_at

"""Blocking connections to a daemon and its programs, read with as little delay as there can be."""

import json
import os
import select
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

PATIENCE_SECS = 30.0


def request(method: str) -> bytes:
    """Return a request without params."""
    return b'{"jsonrpc":"2.0","id":1,"method":"%s"}\n' % method.encode()


STATE_REQUEST = request("state")


class NothingCame(Exception):
    """What was waited for did not come in time."""


def connect(path: Path, stack: ExitStack) -> socket.socket:
    """Return a connection that `stack` closes."""
    sock = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
    sock.settimeout(PATIENCE_SECS)
    sock.connect(str(path))
    return sock


def connect_watcher(path: Path, stack: ExitStack) -> socket.socket:
    """Return a connection that is sent each new state; the first one has been read."""
    sock = connect(path, stack)
    sock.sendall(request("watch"))
    read_line(sock)
    return sock


def read_line(sock: socket.socket) -> bytes:
    """Return a line that is known to be the last that was sent."""
    line = b""
    while not line.endswith(b"\n"):
        data = sock.recv(1 << 20)
        if not data:
            raise NothingCame("the connection was closed")
        line += data
    return line


def ask(sock: socket.socket, request: bytes = STATE_REQUEST) -> bytes:
    """Return the answer to a request: the state, if no other is given."""
    sock.sendall(request)
    return read_line(sock)


def is_ready(path: Path) -> bool:
    """Return whether a daemon that listens at `path` answers."""
    with ExitStack() as stack:
        try:
            return "result" in json.loads(ask(connect(path, stack)))
        except (OSError, NothingCame):
            return False


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds that nothing tells of.

    Raises:
        NothingCame: it has not come true in time.
    """
    end = time.perf_counter() + PATIENCE_SECS
    while not condition():
        if time.perf_counter() > end:
            raise NothingCame(str(condition))
        time.sleep(0.001)


def accepts(path: Path) -> bool:
    """Return whether something listens at `path`."""
    with ExitStack() as stack:
        try:
            connect(path, stack)
        except OSError:
            return False
    return True


def read_text(descriptor: int) -> str:
    """Return the next line of a program that prints one at a time.

    Raises:
        NothingCame: it has not printed one in time, or has ended.
    """
    line = b""
    while not line.endswith(b"\n"):
        if not select.select([descriptor], [], [], PATIENCE_SECS)[0]:
            raise NothingCame("a line")
        line += _read(descriptor)
    return line.decode().strip()


class Readers:
    """Waits for a text on each of many descriptors at once."""

    def __init__(self, descriptors: Sequence[int]) -> None:
        self._tails = dict.fromkeys(descriptors, b"")
        self._poll = select.epoll()
        for descriptor in descriptors:
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.EPOLLIN)

    def wait(self, text: bytes) -> float:
        """Return the moment when the last of them had a line with `text` in it.

        What came before is passed over. A line may come in pieces.

        Raises:
            NothingCame: one of them has not got it in time, or has been closed.
        """
        missing, end = set(self._tails), time.perf_counter() + PATIENCE_SECS
        while missing:
            for descriptor, _ in self._poll.poll(max(0.0, end - time.perf_counter())):
                data = self._tails[descriptor] + _read(descriptor)
                before, newline, tail = data.rpartition(b"\n")
                self._tails[descriptor] = tail
                if newline and text in before:
                    missing.discard(descriptor)
            now = time.perf_counter()
            if now > end:
                raise NothingCame(f"{text!r} on {len(missing)} of {len(self._tails)}")
        return now


def _read(descriptor: int) -> bytes:
    data = os.read(descriptor, 1 << 20)
    if not data:
        raise NothingCame("a stream was closed")
    return data

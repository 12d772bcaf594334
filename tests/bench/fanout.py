"""What many watchers cost, and that one who stops reading costs the others nothing."""

import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.processes import cpu_secs, module, running
from tests.bench.rows import Row, median, p99
from tests.bench.screen import Screen
from tests.bench.sessions import open_session
from tests.bench.streams import (
    STATE_REQUEST,
    Readers,
    accepts,
    ask,
    connect,
    connect_watcher,
    wait_until,
)
from tests.x11 import open_xvfb

_WATCHERS = 100
_CHANGES = 60
_ROUNDS = 3
# Rarer than states to one watcher may be, so that none is merged with the next. All changes take
# less than the 10 s after which a reader that has stopped is dropped.
_SPACING_SECS = 1 / 9

_LONG = "x" * 900
"""Titles are long, so that a socket that nobody reads is full soon."""


@dataclass(slots=True)
class _Found:
    """How long each change took to reach all watchers, and the server's CPU time for a change."""

    delays: list[float] = field(default_factory=list)
    cpu_secs: list[float] = field(default_factory=list)


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield the delay and the CPU time of a state for 1 and 100 watchers, and for a bare loop."""
    one, many, beside_stuck, bare_one, bare_many = (_Found() for _ in range(5))
    async with open_xvfb() as display:
        with Screen(display) as screen:
            for _ in range(_ROUNDS):
                async with open_session(directory, display) as daemon:
                    server = daemon.home.socket, daemon.pid
                    size = _spread_titles(server, screen, one, watchers=1)
                    _spread_titles(server, screen, many, watchers=_WATCHERS)
                    with ExitStack() as stack:
                        stuck = _stop_reading(daemon.home.socket, stack)
                        _spread_titles(server, screen, beside_stuck, watchers=_WATCHERS)
                        assert _states_in(stuck) < _CHANGES, "it could have read all along"
                _spread_lines(directory, size, bare_one, watchers=1)
                _spread_lines(directory, size, bare_many, watchers=_WATCHERS)
    for row in _rows(one, many, beside_stuck):
        yield row
    yield Row(
        name="fan-out: CPU for one more watcher of a state",
        unit="us",
        median=_for_one_more(one, many),
        against="one more socket in a bare loop",
        reference=_for_one_more(bare_one, bare_many),
        at_most=2.0,
    )


def _rows(one: _Found, many: _Found, beside_stuck: _Found) -> list[Row]:
    return [
        Row(
            name=f"fan-out: change to the last of {_WATCHERS} watchers",
            unit="ms",
            median=1e3 * median(many.delays),
            p99=1e3 * p99(many.delays),
            against="change to the only watcher",
            reference=1e3 * median(one.delays),
            at_most=4.0,
        ),
        Row(
            name="fan-out: the same beside one who has stopped reading",
            unit="ms",
            median=1e3 * median(beside_stuck.delays),
            p99=1e3 * p99(beside_stuck.delays),
            against="without that one",
            reference=1e3 * median(many.delays),
            at_most=1.3,
        ),
        Row(
            name=f"fan-out: daemon's CPU at 9 states/s, {_WATCHERS} watchers",
            unit="ms/s",
            median=9e3 * median(many.cpu_secs),
            against="one watcher",
            reference=9e3 * median(one.cpu_secs),
        ),
    ]


def _for_one_more(one: _Found, many: _Found) -> float:
    return 1e6 * (median(many.cpu_secs) - median(one.cpu_secs)) / (_WATCHERS - 1)


def _stop_reading(path: Path, stack: ExitStack) -> socket.socket:
    """Watch, and ask for more than the socket holds, but read nothing any more."""
    sock = connect_watcher(path, stack)
    sock.sendall(STATE_REQUEST * 200)
    return sock


def _states_in(sock: socket.socket) -> int:
    """Count the states that a watcher can read now."""
    sock.setblocking(False)
    data = b""
    with suppress(BlockingIOError):
        while more := sock.recv(1 << 20):
            data += more
    return data.count(b'"method":"state"')


def _spread_titles(
    server: tuple[Path, int], screen: Screen, found: _Found, *, watchers: int
) -> int:
    """Change the title of the window in front again and again; return the size of a state."""
    path, pid = server
    with ExitStack() as stack:
        size = len(ask(connect(path, stack)))
        descriptors = [connect_watcher(path, stack).fileno() for _ in range(watchers)]
        _spread(descriptors, pid, lambda text: screen.retitle(0, text + _LONG), found)
    return size


def _spread_lines(directory: Path, size: int, found: _Found, *, watchers: int) -> None:
    """Have a bare loop send lines of that size to everybody."""
    path = directory / "bare_loop"
    path.unlink(missing_ok=True)
    command = module("tests.bench.peers.bare_loop", str(path), str(size), "all")
    with running(command) as program, ExitStack() as stack:
        wait_until(lambda: accepts(path))
        socks = [connect(path, stack) for _ in range(watchers)]

        def tell(text: str) -> float:
            before = time.perf_counter()
            socks[0].sendall(text.encode() + b"\n")
            return before

        _spread([sock.fileno() for sock in socks], program.pid, tell, found)


def _spread(
    descriptors: list[int], pid: int, change: Callable[[str], float], found: _Found
) -> None:
    """Make changes; each has to reach every watcher before the next, or the measuring fails."""
    readers = Readers(descriptors)
    before = cpu_secs(pid)
    for number in range(_CHANGES):
        time.sleep(_SPACING_SECS)
        text = f"change {number}."
        began = change(text)
        found.delays.append(readers.wait(text.encode()) - began)
    found.cpu_secs.append((cpu_secs(pid) - before) / _CHANGES)

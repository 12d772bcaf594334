"""What many watchers cost, and that one who stops reading costs the others nothing."""

import os
import resource
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.compiled import compiled
from tests.bench.processes import Program, cpu_secs, running
from tests.bench.rows import Row, median, p99
from tests.bench.screen import Screen
from tests.bench.sessions import open_session
from tests.bench.streams import (
    STATE_REQUEST,
    accepts,
    ask,
    connect,
    connect_watcher,
    read_text,
    request,
    wait_until,
)
from tests.x11 import open_xvfb

_WATCHERS = 1_000
_MANY = f"{_WATCHERS:,} watchers"
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


@dataclass(frozen=True, slots=True)
class _Tools:
    """The programs in C: many readers, and a loop that sends a line to each."""

    readers: Path
    spread: Path


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield the delay and the CPU time of a state for 1 and 1,000 watchers, and of a bare loop."""
    programs = [compiled(name, directory) for name in ("readers", "spread")]
    if None in programs:
        return
    tools = _Tools(*(program for program in programs if program is not None))
    _allow_many_files()
    one, many, beside_stuck, bare = (_Found() for _ in range(4))
    async with open_xvfb() as display:
        with Screen(display) as screen:
            for _ in range(_ROUNDS):
                async with open_session(directory, display) as daemon:
                    server = daemon.home.socket, daemon.pid
                    size = _spread_titles(tools, server, screen, one, watchers=1)
                    _spread_titles(tools, server, screen, many, watchers=_WATCHERS)
                    with ExitStack() as stack:
                        stuck = _stop_reading(daemon.home.socket, stack)
                        _spread_titles(tools, server, screen, beside_stuck, watchers=_WATCHERS)
                        assert _states_in(stuck) < _CHANGES, "it could have read all along"
                _spread_lines(tools, directory, size, bare)
    for row in [*_delays(many, beside_stuck, bare), *_cpu(one, many, beside_stuck, bare)]:
        yield row


def _allow_many_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _delays(many: _Found, beside_stuck: _Found, bare: _Found) -> list[Row]:
    return [
        Row(
            name=f"fan-out: changes that reached all of {_MANY}",
            unit="",
            median=len(many.delays),
            against="changes",
            reference=_ROUNDS * _CHANGES,
            at_least=1.0,
        ),
        Row(
            name=f"fan-out: change to the last of {_MANY}",
            unit="ms",
            median=1e3 * median(many.delays),
            p99=1e3 * p99(many.delays),
            against="a bare loop in C that sends as much",
            reference=1e3 * median(bare.delays),
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
    ]


def _cpu(one: _Found, many: _Found, beside_stuck: _Found, bare: _Found) -> list[Row]:
    return [
        Row(
            name=f"fan-out: daemon's CPU for a state to {_MANY}",
            unit="ms",
            median=1e3 * median(many.cpu_secs),
            against="a bare loop in C that sends as much",
            reference=1e3 * median(bare.cpu_secs),
            at_most=1.5,
        ),
        Row(
            name="fan-out: daemon's CPU for a state to one watcher",
            unit="ms",
            median=1e3 * median(one.cpu_secs),
            against=f"for a state to {_MANY}",
            reference=1e3 * median(many.cpu_secs),
        ),
        Row(
            name="fan-out: daemon's CPU beside one who has stopped reading",
            unit="ms",
            median=1e3 * median(beside_stuck.cpu_secs),
            against="without that one",
            reference=1e3 * median(many.cpu_secs),
            at_most=1.3,
        ),
    ]


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
    tools: _Tools, server: tuple[Path, int], screen: Screen, found: _Found, *, watchers: int
) -> int:
    """Change the title of the window in front again and again; return the size of a state."""
    path, pid = server
    command = [str(tools.readers), str(path), str(watchers), request("watch").decode()]
    with _ready(command) as readers:
        _spread(readers, pid, lambda text: screen.retitle(0, text + _LONG), found)
    with ExitStack() as stack:
        return len(ask(connect(path, stack)))


def _spread_lines(tools: _Tools, directory: Path, size: int, found: _Found) -> None:
    """Have a bare loop send lines of that size to everybody."""
    path = directory / "bare"
    path.unlink(missing_ok=True)
    with running([str(tools.spread), str(path), str(size)]) as program, ExitStack() as stack:
        wait_until(lambda: accepts(path))
        with _ready([str(tools.readers), str(path), str(_WATCHERS)]) as readers:
            writer = connect(path, stack)

            def tell(text: str) -> float:
                before = time.perf_counter()
                writer.sendall(text.encode() + b"\n")
                return before

            _spread(readers, program.pid, tell, found)


@contextmanager
def _ready(command: list[str]) -> Iterator[Program]:
    with running(command) as readers:
        assert read_text(readers.stdout) == "ready"
        yield readers


def _spread(readers: Program, pid: int, change: Callable[[str], float], found: _Found) -> None:
    """Make changes; each has to reach every watcher before the next, or the measuring fails."""
    before = cpu_secs(pid)
    for number in range(_CHANGES):
        time.sleep(_SPACING_SECS)
        text = f"change {number}."
        os.write(readers.stdin, f"{text}\n".encode())
        began = change(text)
        found.delays.append(float(read_text(readers.stdout)) - began)
    found.cpu_secs.append((cpu_secs(pid) - before) / _CHANGES)

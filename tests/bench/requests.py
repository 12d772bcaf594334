"""What an answer costs, beside servers that do nothing but answer."""

import random
from collections.abc import AsyncIterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.load import ask_often
from tests.bench.processes import cpu_secs, memory_mib, module, running
from tests.bench.rows import Row, median, p99
from tests.bench.sessions import open_idle
from tests.bench.streams import STATE_REQUEST, accepts, ask, connect, request, wait_until

_ROUNDS = 7
_ALONE = 1_000
_TOGETHER = 4_000
_CONNECTIONS = 10


@dataclass(slots=True)
class _Server:
    """A server, what it is asked, and how it did, a sample a round."""

    name: str
    path: Path
    pid: int
    asked: bytes = STATE_REQUEST
    round_trips: list[float] = field(default_factory=list)
    per_sec: list[float] = field(default_factory=list)
    cpu_secs: list[float] = field(default_factory=list)
    """CPU time for one request."""

    def serve(self) -> None:
        """Have it serve one client, then several."""
        alone = ask_often(self.path, self.asked, connections=1, requests=_ALONE)
        before = cpu_secs(self.pid)
        together = ask_often(self.path, self.asked, connections=_CONNECTIONS, requests=_TOGETHER)
        self.cpu_secs.append((cpu_secs(self.pid) - before) / _TOGETHER)
        self.round_trips += alone.round_trips
        self.per_sec.append(_TOGETHER / together.took_secs)


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield what `info` and `state` cost, without a session and in one, and what an echo costs."""
    async with open_idle(directory) as idle, open_idle(directory) as active:
        await active.request("start", next_action="measure", allowed_window_classes=["Code"])
        with ExitStack() as stack:
            size = len(ask(connect(active.home.socket, stack)))
            peers = [
                _start_peer(stack, "an echo on Trio's streams", "trio_echo", directory, size),
                _start_peer(stack, "an echo in a bare loop", "bare_loop", directory, size),
            ]
            ours = [
                _Server("`info`", idle.home.socket, idle.pid, request("info")),
                _Server("`state` without a session", idle.home.socket, idle.pid),
                _Server("`state` in a session", active.home.socket, active.pid),
            ]
            before = memory_mib(active.pid, "Rss")
            servers = [*ours, *peers]
            for _ in range(_ROUNDS):
                for server in random.sample(servers, len(servers)):
                    server.serve()
            after = memory_mib(active.pid, "Rss")
    for row in _rows(ours, peers):
        yield row
    yield Row(
        name=f"requests: RSS after {_ROUNDS * (_ALONE + _TOGETHER):,} of them",
        unit="MiB",
        median=after,
        against="RSS before",
        reference=before,
        at_most=1.05,
    )


def _start_peer(stack: ExitStack, name: str, program: str, directory: Path, size: int) -> _Server:
    path = directory / program
    command = module(f"tests.bench.peers.{program}", str(path), str(size))
    pid = stack.enter_context(running(command)).pid
    wait_until(lambda: accepts(path))
    return _Server(name, path, pid)


def _rows(ours: list[_Server], peers: list[_Server]) -> list[Row]:
    trio_peer, bare_peer = peers
    most_cpu = dict(zip((server.name for server in ours), (1.5, 4.0, 10.0), strict=True))
    rows = [
        Row(
            name=f"requests: CPU for {server.name}",
            unit="us",
            median=1e6 * median(server.cpu_secs),
            against=peer.name,
            reference=1e6 * median(peer.cpu_secs),
            at_most=most_cpu[server.name] if peer is trio_peer else None,
        )
        for peer in (trio_peer, bare_peer)
        for server in ours
    ]
    rows += [
        Row(
            name=f"requests: {server.name} over {_CONNECTIONS} connections",
            unit="/s",
            median=median(server.per_sec),
            against=trio_peer.name,
            reference=median(trio_peer.per_sec),
        )
        for server in ours
    ]
    # No limits: of one connection the faster server is the one whose CPU has not gone to sleep.
    rows += [
        Row(
            name=f"requests: round trip of {server.name}",
            unit="us",
            median=1e6 * median(server.round_trips),
            p99=1e6 * p99(server.round_trips),
            against=trio_peer.name,
            reference=1e6 * median(trio_peer.round_trips),
        )
        for server in ours
    ]
    return rows

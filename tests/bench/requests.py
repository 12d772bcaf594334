"""What an answer costs, beside servers that do nothing but answer."""

import json
import random
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from tests.bench.compiled import compiled
from tests.bench.load import Asker, round_trips
from tests.bench.processes import cpu_secs, memory_mib, module, running
from tests.bench.rows import Row, median, p99
from tests.bench.sessions import open_idle
from tests.bench.streams import STATE_REQUEST, accepts, ask, connect, request, wait_until
from tests.daemons import Daemon

_ROUNDS = 25
_ALONE = 200
_TOGETHER = 2_000
_STRANGERS = 200
_CONNECTIONS = 10

_INFO = request("info")
_JSON_RPC_PEERS = MappingProxyType(
    {"lsp_jsonrpc": ("pylsp_jsonrpc", "python-lsp-jsonrpc"), "pjrpc_asyncio": ("pjrpc", "pjrpc")}
)
"""The programs, what each imports, and what that is called by who makes it."""


@dataclass(slots=True)
class _Server:
    """A server, what it is asked, and how it did, a sample a round."""

    name: str
    pid: int
    asker: Asker
    round_trips: list[float] = field(default_factory=list)
    per_sec: list[float] = field(default_factory=list)
    cpu_secs: list[float] = field(default_factory=list)
    """CPU time for one request."""
    stranger_cpu_secs: list[float] = field(default_factory=list)
    """CPU time for one connection with one request."""

    def serve_one(self) -> None:
        """Have it serve one client."""
        self.round_trips += round_trips(self.asker.path, self.asker.request, times=_ALONE)

    def serve_several(self) -> None:
        """Have it serve several clients at once."""
        before = cpu_secs(self.pid)
        took = self.asker.ask_together(times=_TOGETHER, connections=_CONNECTIONS)
        self.cpu_secs.append((cpu_secs(self.pid) - before) / _TOGETHER)
        self.per_sec.append(_TOGETHER / took)

    def serve_strangers(self) -> None:
        """Have it serve clients that ask once each."""
        before = cpu_secs(self.pid)
        self.asker.ask_as_strangers(times=_STRANGERS)
        self.stranger_cpu_secs.append((cpu_secs(self.pid) - before) / _STRANGERS)


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield what `info` and `state` cost, without a session and in one, and what an echo costs."""
    program = compiled("asker", directory)
    if program is None:
        return
    async with open_idle(directory) as idle, open_idle(directory) as active:
        await active.request("start", next_action="measure", allowed_window_classes=["Code"])
        told = json.dumps(await idle.request("info"))
        with ExitStack() as stack:
            size = str(len(ask(connect(idle.home.socket, stack), _INFO)))
            echoes = [
                _start_peer(stack, program, "trio_echo", "an echo on Trio's streams", size),
                _start_peer(stack, program, "bare_loop", "an echo in a bare loop", size),
            ]
            peers = _start_json_rpc_peers(stack, program, told)
            ours = _ours(program, idle, active)
            before = memory_mib(active.pid, "Rss")
            for _ in range(_ROUNDS):
                _serve_in_turn(ours, echoes, peers)
            after = memory_mib(active.pid, "Rss")
    for row in [*_cpu(ours, echoes), *_throughput(ours, echoes[0], peers)]:
        yield row
    for row in [_strangers(ours[0], echoes[0]), *_round_trips(ours, echoes[0])]:
        yield row
    yield Row(
        name=f"requests: RSS after {_ROUNDS * (_ALONE + _TOGETHER):,} times `state` in a session",
        unit="MiB",
        median=after,
        against="RSS before",
        reference=before,
        at_most=1.05,
    )


def _ours(asker: Path, idle: Daemon, active: Daemon) -> list[_Server]:
    return [
        _Server(name, daemon.pid, Asker(asker, daemon.home.socket, asked))
        for name, daemon, asked in (
            ("`info`", idle, _INFO),
            ("`state` without a session", idle, STATE_REQUEST),
            ("`state` in a session", active, STATE_REQUEST),
        )
    ]


def _serve_in_turn(ours: list[_Server], echoes: list[_Server], peers: list[_Server]) -> None:
    for server in _shuffled([*ours, echoes[0]]):
        server.serve_one()
    for server in _shuffled([*ours, *echoes, *peers]):
        server.serve_several()
    for server in _shuffled([ours[0], echoes[0]]):
        server.serve_strangers()


def _shuffled(servers: list[_Server]) -> list[_Server]:
    return random.sample(servers, len(servers))


def _start_peer(stack: ExitStack, asker: Path, program: str, name: str, *arguments: str) -> _Server:
    path = asker.parent / program
    command = module(f"tests.bench.peers.{program}", str(path), *arguments)
    pid = stack.enter_context(running(command)).pid
    wait_until(lambda: accepts(path))
    return _Server(name, pid, Asker(asker, path, _INFO))


def _start_json_rpc_peers(stack: ExitStack, asker: Path, told: str) -> list[_Server]:
    """Start those that are installed, and say which are not."""
    peers = []
    for program, (package, name) in _JSON_RPC_PEERS.items():
        if find_spec(package) is None:
            print(f"{name} is not installed (make bench does): no row for it", file=sys.stderr)
            continue
        peer = _start_peer(stack, asker, program, name, told)
        if program == "lsp_jsonrpc":
            with_header = b"Content-Length: %d\r\n\r\n%b" % (len(_INFO), _INFO)
            peer.asker = replace(peer.asker, request=with_header, end="}")
        peers.append(peer)
    return peers


def _cpu(ours: list[_Server], echoes: list[_Server]) -> list[Row]:
    most_cpu = dict(zip((server.name for server in ours), (1.0, 4.0, 10.0), strict=True))
    return [
        Row(
            name=f"requests: CPU for {server.name}",
            unit="us",
            median=1e6 * median(server.cpu_secs),
            against=echo.name,
            reference=1e6 * median(echo.cpu_secs),
            at_most=most_cpu[server.name] if echo is echoes[0] else None,
        )
        for echo in echoes
        for server in ours
    ]


def _throughput(ours: list[_Server], echo: _Server, peers: list[_Server]) -> list[Row]:
    """Return the requests a second, beside the echo and the fastest of the peers."""
    rows = [(server, echo, 1.3 if server is ours[0] else None) for server in ours]
    if peers:
        best = max(peers, key=lambda peer: median(peer.per_sec))
        rows.append((ours[0], best, 2.0))
    return [
        Row(
            name=f"requests: {server.name} over {_CONNECTIONS} connections",
            unit="/s",
            median=median(server.per_sec),
            against=other.name,
            reference=median(other.per_sec),
            at_least=limit,
        )
        for server, other, limit in rows
    ]


def _strangers(server: _Server, echo: _Server) -> Row:
    return Row(
        name=f"requests: CPU for a connection that asks {server.name} once",
        unit="us",
        median=1e6 * median(server.stranger_cpu_secs),
        against="trio.serve_listeners with the echo",
        reference=1e6 * median(echo.stranger_cpu_secs),
        at_most=0.5,
    )


def _round_trips(ours: list[_Server], echo: _Server) -> list[Row]:
    """Return rows without limits: the faster server is the one whose CPU has not gone to sleep."""
    return [
        Row(
            name=f"requests: round trip of {server.name}",
            unit="us",
            median=1e6 * median(server.round_trips),
            p99=1e6 * p99(server.round_trips),
            against=echo.name,
            reference=1e6 * median(echo.round_trips),
        )
        for server in ours
    ]

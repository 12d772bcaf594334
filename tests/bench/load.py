"""A client that asks as fast as it is answered, over one connection or several."""

import select
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.bench.streams import connect


@dataclass(frozen=True, slots=True)
class Answered:
    """How long the answers took one by one, and all of them together, in seconds."""

    round_trips: list[float]
    took_secs: float


def ask_often(path: Path, request: bytes, *, connections: int, requests: int) -> Answered:
    """Send a request so often; each connection asks again once it has its answer."""
    round_trips: list[float] = []
    with ExitStack() as stack:
        poll = stack.enter_context(select.epoll())
        socks = {}
        for sock in [connect(path, stack) for _ in range(connections)]:
            socks[sock.fileno()] = sock
            poll.register(sock, select.EPOLLIN)
        began = time.perf_counter()
        asked = dict.fromkeys(socks, began)
        for sock in socks.values():
            sock.sendall(request)
        to_ask = requests - connections
        while len(round_trips) < requests:
            for descriptor, _ in poll.poll():
                if not socks[descriptor].recv(1 << 20).endswith(b"\n"):
                    continue
                now = time.perf_counter()
                round_trips.append(now - asked[descriptor])
                if to_ask:
                    to_ask -= 1
                    asked[descriptor] = now
                    socks[descriptor].sendall(request)
        return Answered(round_trips, time.perf_counter() - began)

"""Whether a slow disk keeps anybody waiting but who asked for what is saved."""

import select
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path

from tests.bench.compiled import compiled
from tests.bench.rows import Row, median, p99
from tests.bench.sessions import open_idle
from tests.bench.streams import ask, connect, read_line, request
from tests.daemons import Daemon

_SAVES = 15
_PROMISE_SECS = 0.005
_PLAN = b'{"jsonrpc":"2.0","id":1,"method":"plan","params":{"intent":"number %d"}}\n'


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield the longest answer while a disk takes 200 ms for each of a save's two fsyncs."""
    library = compiled("slow_fsync", directory, "-shared", "-fPIC")
    if library is None:
        return
    async with open_idle(directory, LD_PRELOAD=str(library)) as slow, open_idle(directory) as fast:
        longest, saves = _save_often(slow)
        quick, _ = _save_often(fast)
    yield Row(
        name="saving: longest answer to another while fsync takes 200 ms",
        unit="ms",
        median=1e3 * median(longest),
        p99=1e3 * p99(longest),
        against="the promise: 5 ms",
        reference=1e3 * _PROMISE_SECS,
        at_most=1.0,
    )
    yield Row(
        name="saving: a command while fsync takes 200 ms",
        unit="ms",
        median=1e3 * median(saves),
        against="two fsyncs",
        reference=400.0,
        at_least=1.0,
    )
    yield Row(
        name="saving: longest answer to another, on this disk",
        unit="ms",
        median=1e3 * median(quick),
        p99=1e3 * p99(quick),
    )


def _save_often(daemon: Daemon) -> tuple[list[float], list[float]]:
    """Return the longest answer to another during each save, and how long each save took."""
    longest, saves = [], []
    with ExitStack() as stack:
        saving, asking = (connect(daemon.home.socket, stack) for _ in range(2))
        for number in range(_SAVES):
            answers = [0.0]
            began = time.perf_counter()
            saving.sendall(_PLAN % number)
            while not select.select([saving], [], [], 0)[0]:
                asked = time.perf_counter()
                ask(asking, request("info"))
                answers.append(time.perf_counter() - asked)
                time.sleep(0.001)
            read_line(saving)
            saves.append(time.perf_counter() - began)
            longest.append(max(answers))
    return longest, saves

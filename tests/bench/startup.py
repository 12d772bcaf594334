"""From the start of the daemon to its first answer, and the same after a kill."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

from tests.bench.processes import run_whole
from tests.bench.rows import Row, median, p99
from tests.bench.streams import is_ready, wait_until
from tests.daemons import PROGRAM, Home, make_home, open_daemon

_ROUNDS = 15

_IMPORTS = (sys.executable, "-c", "import os, antidriftd.bootstrap; os._exit(0)")


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield the time of a first start, of a start after kill -9, and of the imports alone."""
    first, again, imports = [], [], []
    for number in range(_ROUNDS):
        place = directory / str(number)
        place.mkdir()
        home = make_home(place, ai="local")
        first.append(_start_and_kill(home))
        async with open_daemon(place, ai="local") as daemon:
            await daemon.request("start", next_action="measure")
            await daemon.kill()
        again.append(_start_and_kill(home))
        imports.append(run_whole(_IMPORTS, home.environ).secs)
    importing = 1e3 * median(imports)
    for name, samples, against, reference, limit in (
        ("exec to the first answer", first, "its imports", importing, 1.25),
        ("the same after kill -9 in a session", again, "its imports", importing, 1.25),
        ("the same after kill -9 in a session", again, "the promise: 2 s", 2_000.0, 1.0),
    ):
        yield Row(
            name=f"startup: {name}",
            unit="ms",
            median=1e3 * median(samples),
            p99=1e3 * p99(samples),
            against=against,
            reference=reference,
            at_most=limit,
        )


def _start_and_kill(home: Home) -> float:
    """Return in how many seconds a new daemon has given its first answer; then kill it."""
    began = time.perf_counter()
    process = subprocess.Popen(PROGRAM, env=dict(home.environ), stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_ready(home.socket))
        return time.perf_counter() - began
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()

"""A meter of the memory of a daemon and its sensor, and of how fast the daemon answers."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import trio

from tests.clients import Client
from tests.daemons import Daemon
from tests.faults.findings import Findings
from tests.processes import rss_kib

LIMIT_KIB = 96 * 1024
"""What the daemon and its sensor hold together at most, whatever befalls them."""
BACK_WITHIN_KIB = 4 * 1024
"""How near they come to what they held before, once it is over."""

_EVERY_SECS = 0.05
_BACK_SECS = 30.0
_BUSY_FACTOR = 4


def sensors_of(pid: int) -> list[int]:
    """Return the sensor programs that a daemon runs: none, or one."""
    return [child for child in _children(pid) if b"antidriftd.adapters.windows" in _command(child)]


def _children(pid: int) -> Iterator[int]:
    # A child is listed with the thread that started it.
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            yield from map(int, path.read_text().split())


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def together_kib(pid: int) -> int:
    """Return what a daemon and its sensor hold, in KiB; one that has just ended holds nothing."""
    total = 0
    for each in (pid, *sensors_of(pid)):
        with suppress(OSError, AssertionError):
            total += rss_kib(each)
    return total


@dataclass(slots=True)
class Meter:
    """What a daemon and its sensor have held since they were first looked at, in KiB."""

    pid: int
    before_kib: int
    peak_kib: int = 0

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            self.peak_kib = max(self.peak_kib, together_kib(self.pid))
            await trio.sleep(_EVERY_SECS)

    async def tell(self, findings: Findings) -> None:
        """Note too high a peak, and memory that doesn't come back."""
        findings.look(f"{self.peak_kib} KiB at most", is_right=self.peak_kib <= LIMIT_KIB)
        after = together_kib(self.pid)
        patience = trio.current_time() + _BACK_SECS
        while after > self.before_kib + BACK_WITHIN_KIB and trio.current_time() < patience:
            await trio.sleep(_EVERY_SECS)
            after = together_kib(self.pid)
        findings.look(
            f"{after} KiB after {self.before_kib} KiB before",
            is_right=after <= self.before_kib + BACK_WITHIN_KIB,
        )


@asynccontextmanager
async def open_meter(daemon: Daemon) -> AsyncIterator[Meter]:
    """Measure while a fault lasts; the daemon is warm by then, and its sensor, if any, runs."""
    for _ in range(20):
        await daemon.request("state")
    pid = (await daemon.request("info"))["pid"]
    meter = Meter(pid, together_kib(pid))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(meter.watch)
        yield meter
        nursery.cancel_scope.cancel()


@dataclass(slots=True)
class Answers:
    """How long one client has waited for its answers, in seconds."""

    client: Client
    waits: list[float] = field(default_factory=list)

    async def ask(self) -> None:
        """Ask for the state once."""
        begun = trio.current_time()
        await self.client.request("state")
        self.waits.append(trio.current_time() - begun)

    async def ask_often(self, times: int, every_secs: float = 0.01) -> float:
        """Ask `times`; return the 99th percentile."""
        first = len(self.waits)
        for _ in range(times):
            await self.ask()
            await trio.sleep(every_secs)
        return percentile(self.waits[first:])


def percentile(waits: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(waits)[(len(waits) * 99 - 1) // 100]


def promptly(secs: float, before: float) -> float:
    """Return how long an answer may take: `secs`, or where a machine is busy a little more.

    `before` is what it took on this machine before the fault.
    """
    return max(secs, _BUSY_FACTOR * before)

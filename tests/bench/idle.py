"""What it costs when nothing happens: wake-ups and CPU time beyond the sign of life."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import trio

from antidriftd.adapters.windows.program import ALIVE_EVERY_SECS
from tests.bench.processes import child_of, cpu_secs, module, running
from tests.bench.rows import Row
from tests.bench.screen import Screen
from tests.bench.sessions import open_idle, open_session
from tests.processes import wake_ups
from tests.x11 import open_xvfb

# Less than the time between two checkpoints of a session, which begins with its start.
_SECS = 30.0
_LOOK_EVERY_SECS = 0.1
# The start, the dwell and the first judgment are over by then, and the thread that saved the start
# of the session has ended (Trio keeps one for 10 s).
_SETTLE_SECS = 13.0


@dataclass(slots=True)
class Rest:
    """How a process rested: how often it woke up, when, and what that took."""

    wake_ups: int = 0
    moments: list[float] = field(default_factory=list)
    cpu_secs: float = 0.0

    def beyond_the_heartbeat(self) -> int:
        """Count the moments that are no part of one beat that goes through the whole time."""
        offbeat = [
            sum(not _is_on_beat(other - moment) for other in self.moments)
            for moment in self.moments
        ]
        return min(offbeat, default=0)


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield what a daemon, its sensor, a daemon without one and a poller do in the same time."""
    async with open_xvfb() as display:
        with Screen(display), running(module("tests.bench.peers.poller"), DISPLAY=display) as poll:
            async with open_session(directory, display) as busy, open_idle(directory) as idle:
                await trio.sleep(_SETTLE_SECS)
                pids = [busy.pid, child_of(busy.pid), idle.pid, poll.pid]
                session, sensor, nothing, poller = await _watch(pids)
    looks = float(poller.wake_ups)

    def row(name: str, count: float, limit: float | None = None) -> Row:
        return Row(
            name=f"idle: {name}",
            unit="in 30 s",
            median=count,
            against="a one-second poller",
            reference=looks,
            at_most=limit,
        )

    yield row("wake-ups without a session or a display", nothing.wake_ups, 0)
    yield row("daemon in a session, beyond the heartbeat", session.beyond_the_heartbeat(), 0)
    yield row("sensor in a session, beyond the heartbeat", sensor.beyond_the_heartbeat(), 0)
    yield row("daemon in a session, all", session.wake_ups)
    yield row("sensor in a session, all", sensor.wake_ups)
    yield Row(
        name="idle: CPU of daemon and sensor in a session",
        unit="ms/s",
        median=1e3 * (session.cpu_secs + sensor.cpu_secs) / _SECS,
        against="a one-second poller",
        reference=1e3 * poller.cpu_secs / _SECS,
        at_most=0.5,
    )


async def _watch(pids: list[int]) -> list[Rest]:
    """Look at the counters again and again, which wakes nobody up."""
    rests = [Rest() for _ in pids]
    counts = [wake_ups(pid) for pid in pids]
    cpu = [cpu_secs(pid) for pid in pids]
    end = trio.current_time() + _SECS
    while trio.current_time() < end:
        await trio.sleep(_LOOK_EVERY_SECS)
        for at, (pid, rest) in enumerate(zip(pids, rests, strict=True)):
            count = wake_ups(pid)
            if count != counts[at]:
                rest.wake_ups += count - counts[at]
                rest.moments.append(trio.current_time())
                counts[at] = count
    for rest, pid, before in zip(rests, pids, cpu, strict=True):
        rest.cpu_secs = cpu_secs(pid) - before
    return rests


def _is_on_beat(apart_secs: float) -> bool:
    """Whether two moments are whole beats apart, for a reader that looks now and then."""
    off = apart_secs % ALIVE_EVERY_SECS
    return min(off, ALIVE_EVERY_SECS - off) < 5 * _LOOK_EVERY_SECS

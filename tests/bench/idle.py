"""What it costs when nothing happens, and when somebody changes windows every other second."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from tests.bench.processes import child_of, cpu_secs, module, running
from tests.bench.rows import Row
from tests.bench.screen import Screen
from tests.bench.sessions import open_idle, open_session
from tests.bench.streams import Readers
from tests.processes import wake_ups_by_thread
from tests.x11 import open_xvfb

_SECS = 60.0
_LOOK_EVERY_SECS = 0.1
_CHANGE_EVERY_SECS = 2.0
# The first save of a session is over by then, with which the history is begun.
_SETTLE_SECS = 55.0

_WAKE_UPS_A_SECOND = 0.5
_CPU_MS_A_SECOND = 1.0


@dataclass(slots=True)
class Rest:
    """How often a process woke up, and the CPU time that it took, while it was looked at."""

    pid: int
    wake_ups: int = 0
    cpu_secs: float = 0.0
    _counts: dict[int, int] = field(default_factory=dict)
    _cpu_before: float = 0.0

    def begin(self) -> None:
        """Count from now."""
        self._counts, self._cpu_before = wake_ups_by_thread(self.pid), cpu_secs(self.pid)

    def look(self) -> None:
        """Take in what has come since; what a thread has woken up is lost once it has ended."""
        counts = wake_ups_by_thread(self.pid)
        self.wake_ups += sum(count - self._counts.get(tid, 0) for tid, count in counts.items())
        self._counts = counts
        self.cpu_secs = cpu_secs(self.pid) - self._cpu_before


@dataclass(frozen=True, slots=True)
class _Scene:
    """The processes that are compared: all of them see the same."""

    session: int
    idle: int
    aw_watcher: int
    poller: int

    async def watch(self, act: Callable[[int], object] | None = None) -> list[Rest]:
        """Return how daemon, sensor, idle daemon, aw-watcher-window and poller rested.

        `act` is called every other second, with a number that rises.
        """
        pids = (self.session, child_of(self.session), self.idle, self.aw_watcher, self.poller)
        rests = [Rest(pid) for pid in pids]
        for rest in rests:
            rest.begin()
        began, acted = trio.current_time(), 0
        while (passed := trio.current_time() - began) < _SECS:
            if act and passed >= _CHANGE_EVERY_SECS * acted:
                act(acted)
                acted += 1
            await trio.sleep(_LOOK_EVERY_SECS)
            for rest in rests:
                rest.look()
        return rests


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield what the daemon, its sensor and other watchers of the same windows do meanwhile."""
    async with AsyncExitStack() as stack:
        display = await stack.enter_async_context(open_xvfb())
        screen = stack.enter_context(Screen(display))
        scene = _Scene(
            session=(await stack.enter_async_context(open_session(directory, display))).pid,
            idle=(await stack.enter_async_context(open_idle(directory))).pid,
            aw_watcher=stack.enter_context(_aw_watcher(directory, display)),
            poller=stack.enter_context(running(_POLLER, DISPLAY=display)).pid,
        )
        screen.focus(1)  # it is judged, which takes the judge's data
        await trio.sleep(_SETTLE_SECS)
        still = await scene.watch()
        changing = await scene.watch(lambda number: screen.focus(number % screen.windows))
    for row in (*_still(*still), *_changing(*changing)):
        yield row


_POLLER = module("tests.bench.peers.poller")


@contextmanager
def _aw_watcher(directory: Path, display: str) -> Iterator[int]:
    """Run what aw-watcher-window does, beside a server that it can talk to; yield its number."""
    with running(module("tests.bench.peers.aw_server")) as server:
        port = os.read(server.stdout, 16).decode().strip()
        watcher = module("tests.bench.peers.aw_watcher", port)
        with running(watcher, DISPLAY=display, HOME=str(directory)) as program:
            Readers([program.stdout]).wait(b"ready")
            yield program.pid


def _still(daemon: Rest, sensor: Rest, idle: Rest, aw_watcher: Rest, poller: Rest) -> list[Row]:
    ours = daemon.wake_ups + sensor.wake_ups
    return [
        Row(
            name="idle: wake-ups without a session or a display",
            unit="a second",
            median=idle.wake_ups / _SECS,
            against="a one-second poller",
            reference=poller.wake_ups / _SECS,
            at_most=0,
        ),
        *(
            Row(
                name="idle: wake-ups in a session, daemon and sensor",
                unit="a second",
                median=ours / _SECS,
                against=against,
                reference=reference,
                at_most=limit,
            )
            for against, reference, limit in (
                (f"the promise: {_WAKE_UPS_A_SECOND:g}", _WAKE_UPS_A_SECOND, 1.0),
                ("aw-watcher-window", aw_watcher.wake_ups / _SECS, None),
            )
        ),
        _cpu("idle: CPU in a session", daemon, sensor, "0.1 % of one", _CPU_MS_A_SECOND, 1.0),
        *_beside("idle: CPU in a session", daemon, sensor, aw_watcher, poller, None),
    ]


def _changing(daemon: Rest, sensor: Rest, _: Rest, aw_watcher: Rest, poller: Rest) -> list[Row]:
    name = "idle: CPU with a change every 2 s"
    return [
        *_beside(name, daemon, sensor, aw_watcher, poller, 0.2),
        _cpu(f"{name}, sensor", Rest(0), sensor),
    ]


def _beside(
    name: str, daemon: Rest, sensor: Rest, aw_watcher: Rest, poller: Rest, limit: float | None
) -> Iterator[Row]:
    aw_ms, poller_ms = (1e3 * rest.cpu_secs / _SECS for rest in (aw_watcher, poller))
    yield _cpu(name, daemon, sensor, "aw-watcher-window", aw_ms, limit)
    yield _cpu(name, daemon, sensor, "a poller with its reads only", poller_ms)


def _cpu(
    name: str,
    daemon: Rest,
    sensor: Rest,
    against: str = "",
    reference: float = 0.0,
    limit: float | None = None,
) -> Row:
    return Row(
        name=name,
        unit="ms/s",
        median=1e3 * (daemon.cpu_secs + sensor.cpu_secs) / _SECS,
        against=against,
        reference=reference,
        at_most=limit,
    )

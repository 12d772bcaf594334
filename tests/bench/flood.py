"""What the daemon does while a program changes its title ten thousand times."""

import os
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from antidriftd.runtime.hub import SPACING_SECS
from tests.bench.flooder import CHANGES, last_title
from tests.bench.observer import Asked, Watched, observe
from tests.bench.processes import child_of, cpu_secs, module, running
from tests.bench.rows import Row, median, p99
from tests.bench.screen import Screen
from tests.bench.sessions import open_session
from tests.bench.stalls import MEASURED, Stall, longest_pass
from tests.bench.streams import Readers, accepts, ask, connect, connect_watcher, wait_until
from tests.daemons import Daemon
from tests.x11 import open_xvfb

_BURSTS = 7
_GRABS = 5
_GRAB_SECS = 1.0
_STALL_SECS = 0.01
_REST_SECS = 0.05
"""After each hundred changes of a flood that lasts: less than 2,000 a second, for 5 s and more."""


@dataclass(frozen=True, slots=True)
class _Flood:
    """What one flood did: times in seconds, for the last title after the last change."""

    answers: list[float]
    echo_answers: list[float]
    last_title: float
    daemon_cpu: float
    sensor_cpu: float
    states_in_a_second: int
    stall: Stall


@dataclass(frozen=True, slots=True)
class _Scene:
    """A daemon, a server that only answers (what delays it is the machine), and the flooder."""

    daemon: Daemon
    echo: Path
    flooder_stdin: int
    flooder_stdout: int

    def flood(self, name: str, rest_secs: float) -> _Flood:
        """Have the titles changed, and ask and watch until the last of them has arrived."""
        pids = self.daemon.pid, child_of(self.daemon.pid)
        with ExitStack() as stack:
            ours = Asked(connect(self.daemon.home.socket, stack))
            echo = Asked(connect(self.echo, stack))
            watched = Watched(connect_watcher(self.daemon.home.socket, stack))
            longest_pass(self.daemon)
            before = [cpu_secs(pid) for pid in pids]
            os.write(self.flooder_stdin, f"{name} {rest_secs}\n".encode())
            last = last_title(name).encode()
            last_secs = observe([ours, echo], watched, last, self.flooder_stdout)
        daemon, sensor = (cpu_secs(pid) - at for pid, at in zip(pids, before, strict=True))
        return _Flood(
            answers=ours.took_secs,
            echo_answers=echo.took_secs,
            last_title=last_secs,
            daemon_cpu=daemon,
            sensor_cpu=sensor,
            states_in_a_second=watched.most_in_a_second(),
            stall=longest_pass(self.daemon),
        )


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield how the daemon answers, tells and ends, in short floods and in one that lasts."""
    async with open_xvfb() as display:
        with (
            running(module("tests.bench.flooder"), DISPLAY=display) as flooder,
            ExitStack() as stack,
        ):
            Readers([flooder.stdout]).wait(b"ready")
            async with open_session(directory, display, MEASURED) as daemon:
                echo = _start_echo(daemon, directory, stack)
                scene = _Scene(daemon, echo, flooder.stdin, flooder.stdout)
                bursts = [scene.flood(f"burst-{number}", 0.0) for number in range(_BURSTS)]
                lasting = scene.flood("lasting", _REST_SECS)
                grabs = [_stall_in_a_grab(daemon, display) for _ in range(_GRABS)]
    for row in (*_rows(bursts, lasting), *_stalls("while the X server is grabbed for 1 s", grabs)):
        yield row


def _stall_in_a_grab(daemon: Daemon, display: str) -> Stall:
    longest_pass(daemon)
    with Screen(display, windows=1) as screen, screen.grabbed():
        time.sleep(_GRAB_SECS)
    return longest_pass(daemon)


def _start_echo(daemon: Daemon, directory: Path, stack: ExitStack) -> Path:
    with ExitStack() as asking:
        size = len(ask(connect(daemon.home.socket, asking)))
    path = directory / "flood_echo"
    stack.enter_context(running(module("tests.bench.peers.trio_echo", str(path), str(size))))
    wait_until(lambda: accepts(path))
    return path


def _rows(bursts: list[_Flood], lasting: _Flood) -> list[Row]:
    ends = [max(0.0, flood.last_title) for flood in bursts]
    return [
        Row(
            name=f"flood: end of {CHANGES:,} changes to the last title",
            unit="ms",
            median=1e3 * median(ends),
            p99=1e3 * p99(ends),
            against="the time that states are merged for",
            reference=1e3 * SPACING_SECS,
            at_most=1.5,
        ),
        *_stalls("in a burst", [flood.stall for flood in bursts]),
        *_stalls("in a flood of 5 s", [lasting.stall]),
        _longest_answer("in a burst", bursts),
        _longest_answer("in a flood of 5 s", [lasting]),
        Row(
            name="flood: states to a watcher in any second",
            unit="",
            median=lasting.states_in_a_second,
            against="the promise: 10",
            reference=10,
            at_most=1.0,
        ),
        _cpu("sensor", [flood.sensor_cpu for flood in bursts]),
        _cpu("daemon", [flood.daemon_cpu for flood in bursts]),
    ]


def _longest_answer(when: str, floods: list[_Flood]) -> Row:
    longest = [max(flood.answers) for flood in floods]
    return Row(
        name=f"flood: longest answer {when}",
        unit="ms",
        median=1e3 * median(longest),
        p99=1e3 * p99(longest),
        against="an echo's longest in the same time",
        reference=1e3 * median([max(flood.echo_answers) for flood in floods]),
        at_most=5.0,
    )


def _stalls(when: str, stalls: list[Stall]) -> list[Row]:
    secs = [stall.secs for stall in stalls]
    return [
        Row(
            name=f"flood: longest the loop is busy {when}",
            unit="ms",
            median=1e3 * median(secs),
            p99=1e3 * p99(secs),
            against=f"the promise: {1e3 * _STALL_SECS:.0f} ms",
            reference=1e3 * _STALL_SECS,
            at_most=1.0,
        ),
        Row(
            name=f"flood: most CPU of one pass {when}",
            unit="ms",
            median=1e3 * median([stall.cpu_secs for stall in stalls]),
        ),
    ]


def _cpu(who: str, samples: list[float]) -> Row:
    return Row(
        name=f"flood: {who}'s CPU in a burst, for each change",
        unit="us",
        median=1e6 * median(samples) / CHANGES,
    )

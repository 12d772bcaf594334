"""From a change of the window in front to the line that tells of it."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from pathlib import Path

from tests.bench.processes import module, running, script
from tests.bench.rows import Row, median, p99
from tests.bench.screen import Screen, title_of
from tests.bench.sessions import open_session
from tests.bench.streams import Readers, connect_watcher
from tests.x11 import open_xvfb

Way = Callable[[str, Path], AbstractAsyncContextManager[int]]
"""Starts something that tells of a display's windows; gives the descriptor that it does so on."""

_ROUNDS = 3
_CHANGES = 30
_WARM_UP = 5
# Beyond the time in which states to one watcher are merged.
_SPACING_SECS = 0.15
# So that changes fall anywhere between two looks of a poller.
_POLLED_CHANGES = 20
_POLLED_SPACING_SECS = 1.0


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield what the way to `antidrift watch --json` takes, and what its parts take."""
    samples: dict[Way, list[float]] = {way: [] for way in (_sensor, _socket, _command, _poller)}
    async with open_xvfb() as display:
        with Screen(display) as screen:
            for _ in range(_ROUNDS):
                for way in (_sensor, _socket, _command):
                    async with way(display, directory) as descriptor:
                        samples[way] += _time_changes(screen, descriptor, _CHANGES, _SPACING_SECS)
            async with _poller(display, directory) as descriptor:
                samples[_poller] += _time_changes(
                    screen, descriptor, _POLLED_CHANGES, _POLLED_SPACING_SECS
                )
    figures = {way: 1e3 * median(found) for way, found in samples.items()}
    names: dict[Way, str] = {
        _sensor: "focus: change to the sensor program's line",
        _socket: "focus: change to a watcher's socket",
        _command: "focus: change to the line of `antidrift watch --json`",
        _poller: "focus: change to the line of a one-second poller",
    }

    def row(way: Way, against: str = "", reference: float = 0.0, limit: float | None = None) -> Row:
        return Row(
            name=names[way],
            unit="ms",
            median=figures[way],
            p99=1e3 * p99(samples[way]),
            against=against,
            reference=reference,
            at_most=limit,
        )

    yield row(_sensor)
    yield row(_socket, "the sensor program alone", figures[_sensor], 2.0)
    yield row(_command, "the sensor program alone", figures[_sensor], 2.0)
    yield row(_command, "the promise: 10 ms", 10.0, 1.0)
    yield row(_command, "a one-second poller", figures[_poller], 1 / 200)
    yield row(_poller)


def _time_changes(screen: Screen, descriptor: int, changes: int, spacing: float) -> list[float]:
    readers = Readers([descriptor])
    samples = []
    for change in range(1, _WARM_UP + changes + 1):
        number = change % screen.windows
        # Steps of the golden section fall evenly on a poller's second, and on no rhythm of ours.
        time.sleep(spacing * (1.0 + change * 0.618 % 1.0))
        began = screen.focus(number)
        samples.append(readers.wait(title_of(number).encode()) - began)
    return samples[_WARM_UP:]


@asynccontextmanager
async def _sensor(display: str, _: Path) -> AsyncIterator[int]:
    with running(module("antidriftd.adapters.windows.x11"), DISPLAY=display) as program:
        yield program.stdout


@asynccontextmanager
async def _poller(display: str, _: Path) -> AsyncIterator[int]:
    with running(module("tests.bench.peers.poller"), DISPLAY=display) as program:
        yield program.stdout


@asynccontextmanager
async def _socket(display: str, directory: Path) -> AsyncIterator[int]:
    async with open_session(directory, display) as daemon:
        with ExitStack() as stack:
            yield connect_watcher(daemon.home.socket, stack).fileno()


@asynccontextmanager
async def _command(display: str, directory: Path) -> AsyncIterator[int]:
    async with open_session(directory, display) as daemon:
        with running([script("antidrift"), "watch", "--json"], **daemon.home.environ) as program:
            yield program.stdout

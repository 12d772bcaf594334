"""The memory that the daemon and its sensor take, at first and after very many changes."""

import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import trio

from tests.bench.processes import child_of, memory_mib, running
from tests.bench.rows import Row
from tests.bench.screen import Screen
from tests.bench.sessions import open_session
from tests.bench.streams import Readers
from tests.daemons import Daemon
from tests.x11 import open_xvfb

_STAY = "; print('ready', flush=True); input()"
_LIBRARIES = "import trio, msgspec" + _STAY
_CONNECTED = "import json, Xlib.display; connection = Xlib.display.Display()" + _STAY

_TOGETHER_MIB = 45.0
_CHANGES, _MANY_CHANGES = 100_000, 1_000_000
_FIRST_CHANGES = 40_000
"""After so many, a minute and more, everything has been in use once, the history included."""

_REST_SECS = 0.002
"""After each change, so that the sensor and the daemon see most of them one by one."""


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield the RSS of both processes, and the PSS: what they take of the machine's memory."""
    async with open_xvfb() as display:
        with (
            Screen(display) as screen,
            running([sys.executable, "-c", _LIBRARIES]) as libraries,
            running([sys.executable, "-c", _CONNECTED], DISPLAY=display) as connected,
        ):
            Readers([libraries.stdout, connected.stdout]).wait(b"ready")
            async with open_session(directory, display) as daemon:
                await trio.sleep(5)
                pairs = (
                    ("daemon", daemon.pid, "Python with trio and msgspec", libraries.pid),
                    ("sensor", child_of(daemon.pid), "Python with an Xlib display", connected.pid),
                )
                rows = [
                    Row(
                        name=f"memory: {kind.upper()} of the {name}",
                        unit="MiB",
                        median=memory_mib(pid, kind),
                        against=peer,
                        reference=memory_mib(peer_pid, kind),
                        at_most=1.25 if kind == "Rss" else None,
                    )
                    for kind in ("Rss", "Pss")
                    for name, pid, peer, peer_pid in pairs
                ]
                rows += await _growth(daemon, screen, _CHANGES)
    for row in rows:
        yield row


async def endure(directory: Path) -> AsyncIterator[Row]:
    """Yield the PSS after a million changes; that takes three quarters of an hour."""
    async with open_xvfb() as display:
        with Screen(display) as screen:
            async with open_session(directory, display) as daemon:
                for row in await _growth(daemon, screen, _MANY_CHANGES):
                    yield row


async def _growth(daemon: Daemon, screen: Screen, changes: int) -> list[Row]:
    """Change windows and titles so often; return the PSS after the first, and at the end."""
    screen.focus(1)  # the judge is asked about it
    await trio.sleep(5)
    await trio.to_thread.run_sync(_change, screen, 0, _FIRST_CHANGES)
    before = _together(daemon)
    await trio.to_thread.run_sync(_change, screen, _FIRST_CHANGES, changes)
    after = _together(daemon)
    return [
        Row(
            name=f"memory: PSS of both after {number:,} changes, a judgment among them",
            unit="MiB",
            median=mib,
            against=against,
            reference=reference,
            at_most=limit,
        )
        for number, mib, against, reference, limit in (
            (_FIRST_CHANGES, before, f"the promise: {_TOGETHER_MIB:g}", _TOGETHER_MIB, 1.0),
            (changes, after, f"the promise: {_TOGETHER_MIB:g}", _TOGETHER_MIB, 1.0),
            (changes, after, f"after {_FIRST_CHANGES:,}", before, 1.02),
        )
    ]


def _change(screen: Screen, first: int, last: int) -> None:
    for number in range(first, last):
        if number % 10 == 0:
            screen.focus(number // 10 % screen.windows)
        screen.retitle(number // 10 % screen.windows, f"change {number}")
        time.sleep(_REST_SECS)
    screen.sync()


def _together(daemon: Daemon) -> float:
    return sum(memory_mib(pid, "Pss") for pid in (daemon.pid, child_of(daemon.pid)))

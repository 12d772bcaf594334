"""The memory that the daemon and its sensor take, beside Python with the same libraries."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import trio

from tests.bench.processes import child_of, memory_mib, running
from tests.bench.rows import Row
from tests.bench.screen import Screen
from tests.bench.sessions import open_session
from tests.bench.streams import Readers
from tests.x11 import open_xvfb

_STAY = "; print('ready', flush=True); input()"
_LIBRARIES = "import trio, msgspec" + _STAY
_CONNECTED = "import json, Xlib.display; connection = Xlib.display.Display()" + _STAY


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield the RSS of both processes, and the PSS: what they take of the machine's memory."""
    async with open_xvfb() as display:
        with (
            Screen(display),
            running([sys.executable, "-c", _LIBRARIES]) as libraries,
            running([sys.executable, "-c", _CONNECTED], DISPLAY=display) as connected,
        ):
            Readers([libraries.stdout, connected.stdout]).wait(b"ready")
            async with open_session(directory, display) as daemon:
                await trio.sleep(5)  # past the first judgment
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
    for row in rows:
        yield row

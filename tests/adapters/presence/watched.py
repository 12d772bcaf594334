"""A running watcher, and what it tells."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from antidriftd.adapters.presence.desktop import DesktopPresenceWatcher
from antidriftd.adapters.presence.port import PresenceWatcher
from tests.waiting import wait_until


class RecordingSink:
    """Keeps what is told, in order."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.is_locked = False
        self.is_asleep = False

    def screen_locked(self, locked: bool) -> None:
        self.is_locked = locked
        self.told.append("locked" if locked else "open")

    def machine_sleeps(self, asleep: bool) -> None:
        self.is_asleep = asleep
        self.told.append("asleep" if asleep else "awake")

    async def wait_told(self, *words: str) -> None:
        """Wait until exactly this was told since the watcher began with "open" and "awake"."""
        expected = ["open", "awake", *words]
        await wait_until(lambda: len(self.told) >= len(expected))
        assert self.told == expected


@asynccontextmanager
async def running(watcher: PresenceWatcher) -> AsyncIterator[RecordingSink]:
    """Run a watcher in the background, yielding what it tells."""
    sink = RecordingSink()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watcher.run, sink)
        yield sink
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def open_watcher(
    system_address: str = "", session_address: str = "", session_id: str = ""
) -> AsyncIterator[RecordingSink]:
    """Run the desktop's watcher on these buses."""
    async with running(DesktopPresenceWatcher(system_address, session_address, session_id)) as sink:
        yield sink

"""A real daemon in a running session, for measuring."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.bench.screen import CLASSES
from tests.daemons import Daemon, open_daemon

# No bus, in place of one that isn't there: that would be tried again and again.
_DESKTOP = {"DBUS_SESSION_BUS_ADDRESS": "none:"}
_CONNECTIONS = "[limits]\nconnections = 1100\n"


@asynccontextmanager
async def open_idle(directory: Path, **variables: str) -> AsyncIterator[Daemon]:
    """Open a daemon that has no window to watch and nothing to do; `variables` are added."""
    async with open_daemon(
        _fresh(directory), ai="local", env={**_DESKTOP, **variables}, config=_CONNECTIONS
    ) as daemon:
        yield daemon


@asynccontextmanager
async def open_session(directory: Path, display: str) -> AsyncIterator[Daemon]:
    """Open a daemon that watches `display`, in a session that allows the first of its classes."""
    async with open_daemon(
        _fresh(directory),
        sensor="x11",
        ai="local",
        env={**_DESKTOP, "DISPLAY": display},
        config=_CONNECTIONS,
    ) as daemon:
        await daemon.wait_state(lambda state: "window" in state)
        await daemon.request(
            "start",
            next_action="measure",
            timebox_secs=3600,
            allowed_window_classes=[CLASSES[0]],
        )
        yield daemon


def _fresh(directory: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=directory))

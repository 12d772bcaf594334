"""A real daemon in a running session, for measuring."""

import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from tests.bench.screen import CLASSES
from tests.daemons import PROGRAM, Daemon, open_daemon

# No bus, in place of one that isn't there: that would be tried again and again.
_NO_BUS = {"DBUS_SESSION_BUS_ADDRESS": "none:"}
_IN_MEMORY = "/dev/shm"  # a directory of its own is made in it
_CONNECTIONS = "[limits]\nconnections = 1100\n"


@asynccontextmanager
async def open_idle(directory: Path, **variables: str) -> AsyncIterator[Daemon]:
    """Open a daemon that has no window to watch and nothing to do; `variables` are added."""
    with desktop() as environ:
        async with open_daemon(
            fresh(directory), ai="local", env={**environ, **variables}, config=_CONNECTIONS
        ) as daemon:
            yield daemon


@asynccontextmanager
async def open_session(
    directory: Path, display: str, program: Sequence[str] = PROGRAM
) -> AsyncIterator[Daemon]:
    """Open a daemon that watches `display`, in a session that allows the first of its classes."""
    with desktop() as environ:
        async with open_daemon(
            fresh(directory),
            sensor="x11",
            ai="local",
            env={**environ, "DISPLAY": display},
            config=_CONNECTIONS,
            program=program,
        ) as daemon:
            await daemon.wait_state(lambda state: "window" in state)
            await daemon.request(
                "start",
                next_action="measure",
                timebox_secs=3600,
                allowed_window_classes=[CLASSES[0]],
            )
            yield daemon


@contextmanager
def desktop() -> Iterator[dict[str, str]]:
    """Yield what a desktop gives a daemon; the runtime directory lies in memory, as logind's."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=_IN_MEMORY) as runtime_dir:
        yield {**_NO_BUS, "XDG_RUNTIME_DIR": runtime_dir}


def fresh(directory: Path) -> Path:
    """Return a new directory in `directory`."""
    return Path(tempfile.mkdtemp(dir=directory))

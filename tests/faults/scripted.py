"""A short life of a daemon, told command by command, with strace at its store."""

import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio

from antidriftd.adapters.store import codec
from antidriftd.core.restore import Saved
from antidriftd.core.state import Active, Planning
from tests.clients import PATIENCE_SECS
from tests.faults.forks import ForkedDaemon, Forks, open_forked
from tests.waiting import wait_until

SCRIPT: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("plan", {"intent": "write"}),
    ("plan", {"intent": "read"}),
    ("start", {"next_action": "read"}),
    ("ontask", {"window_title": "a"}),
    ("extend", {"secs": 60}),
    ("ontask", {"window_title": "b"}),
    ("disallow", {"window_title": "a"}),
    ("ontask", {"window_title": "c"}),
)
BEFORE = ("plan", {"intent": "before"})
"""What an earlier daemon was told, so that there is a snapshot to load."""

CALLS = ("openat", "read", "write", "fsync", "close", "rename", "unlink", "newfstatat")
_CALL = re.compile(r"^\d+ +(\w+)\(")

Told = tuple[str, str, tuple[str, ...], int]


def told(saved: Saved | None) -> Told:
    """Return what the script's commands have changed: no two leave the same."""
    match saved.phase if saved else None:
        case Planning(intent=intent):
            return "planning", intent, (), 0
        case Active(session=session):
            titles = tuple(allowance.value for allowance in session.allowances)
            return "active", session.intent, titles, round(session.ends - session.started)
        case phase:
            return type(phase).__name__, "", (), 0


def on_disk(path: Path) -> Told | None:
    """Return what the snapshot holds; None when it can't be read."""
    try:
        return told(codec.decode(path.read_bytes()))
    except (OSError, codec.Unreadable, codec.NewerSchema):
        return None


@dataclass(frozen=True, slots=True)
class Point:
    """A call of a life: the `number`-th by this `name` about a file of the store."""

    name: str
    number: int


@dataclass(slots=True)
class Life:
    """A daemon that waits to be told the script, and what strace is to do to it."""

    daemon: ForkedDaemon
    log: Path
    wrong: list[str] = field(default_factory=list)

    @property
    def snapshot(self) -> Path:
        """The file that it keeps."""
        return self.daemon.home.snapshot

    @property
    def has_fired(self) -> bool:
        """Whether strace did what it was to do."""
        text = self.log.read_text()
        return "(INJECTED)" in text or "+++ killed" in text

    async def begin(self) -> bool:
        """Let the daemon start; return whether it serves, or has ended."""
        process = self.daemon.process
        assert process
        os.kill(process.pid, signal.SIGCONT)
        with trio.fail_after(PATIENCE_SECS):
            while not await self.daemon.accepts():
                if process.poll() is not None:
                    return False
                await trio.sleep(0.005)
        return True

    def look(self, what: str, *, is_right: bool) -> None:
        """Note that `what` is wrong, unless it is right."""
        if not is_right:
            self.wrong.append(what)

    def points(self) -> list[Point]:
        """Return every call that was made, told by its name and number.

        strace counts them for each thread: all of the store's are made in one.
        """
        found = map(_CALL.match, self.log.read_text().splitlines())
        counted = Counter(match[1] for match in found if match)
        return [
            Point(name, number) for name, count in counted.items() for number in range(1, count + 1)
        ]


@asynccontextmanager
async def open_life(forks: Forks, directory: Path, *inject: str) -> AsyncIterator[Life]:
    """Have a daemon whose every call about its snapshot passes strace, which may `inject`."""
    async with open_forked(forks, _made(directory)) as daemon:
        await daemon.request(BEFORE[0], **BEFORE[1])
        await daemon.kill()
        life = Life(daemon, directory / "strace.log")
        pid = daemon.launch_stopped()
        options = [option for text in inject for option in ("-e", f"inject={text}")]
        paths = ["", "snapshot.json", "snapshot.json.tmp"]
        options += [part for name in paths for part in ("-P", str(daemon.home.state_dir / name))]
        command = ["strace", "-f", "-qq", "-p", str(pid), "-o", str(life.log)]
        command += ["-e", f"trace={','.join(CALLS)}", *options]
        strace = await trio.lowlevel.open_process(command, stderr=subprocess.DEVNULL)
        try:
            await wait_until(lambda: _is_traced(pid))
            yield life
        finally:
            await daemon.leave_nothing()
            with trio.CancelScope(shield=True), trio.fail_after(PATIENCE_SECS):
                await strace.wait()


def _made(directory: Path) -> Path:
    directory.mkdir()
    return directory


def _is_traced(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    return re.search(r"^TracerPid:\t0$", status, re.MULTILINE) is None

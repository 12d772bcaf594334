"""A daemon whose clocks a test can move: the stand-in for sleep, stops, reboots and set clocks."""

import struct
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.daemons import PROGRAM, Daemon, open_daemon

_SOURCE = Path(__file__).with_name("shim.c")
_FORMAT = "=ddd"


def build_shim(folder: Path) -> Path:
    """Return the shim, compiled into `folder`."""
    shim = folder / "shim.so"
    options = ["-shared", "-nostdlib", "-fPIC", "-fno-stack-protector", "-O1", "-Wall", "-Werror"]
    subprocess.run(["gcc", *options, "-o", shim, _SOURCE], check=True)
    return shim


@dataclass(slots=True)
class Clocks:
    """How far a daemon's clocks are from the machine's, in seconds."""

    file: Path
    utc: float = 0.0
    mono: float = 0.0
    boot: float = 0.0

    def move(self, *, utc: float = 0.0, mono: float = 0.0, boot: float = 0.0) -> None:
        """Move each clock by so many seconds."""
        self.utc, self.mono, self.boot = self.utc + utc, self.mono + mono, self.boot + boot
        with self.file.open("r+b" if self.file.exists() else "wb") as file:
            file.write(struct.pack(_FORMAT, self.utc, self.mono, self.boot))

    def sleep(self, secs: float) -> None:
        """Have the machine sleep: `mono` stands still."""
        self.move(utc=secs, boot=secs)

    def pass_by(self, secs: float) -> None:
        """Have all clocks run on, as they do while the daemon is stopped."""
        self.move(utc=secs, boot=secs, mono=secs)


@asynccontextmanager
async def open_shifted(
    shim: Path, directory: Path, *, program: Sequence[str] = PROGRAM, **options: Any
) -> AsyncIterator[tuple[Daemon, Clocks]]:
    """Start a daemon whose clocks can be moved; its sensor and its programs keep the machine's."""
    clocks = Clocks(directory / "offsets")
    clocks.move()
    env = {"LD_PRELOAD": str(shim), "CLOCK_OFFSETS": str(clocks.file), **options.pop("env", {})}
    async with open_daemon(directory, env=env, program=program, **options) as daemon:
        yield daemon, clocks

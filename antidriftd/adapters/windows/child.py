"""Runs a sensor program as a child process, and starts it again whenever it ends or falls silent.

A sensor is a process of its own because an X library can wait for ever for a server that doesn't
answer, or spin, and a process can be ended (ActivityWatch/activitywatch#920).
"""

import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Never, assert_never, cast

import trio

from antidriftd.adapters.windows.lines import (
    Alive,
    Detail,
    Line,
    LineBuffer,
    Seen,
    Unavailable,
    parse_line,
)
from antidriftd.adapters.windows.report import SensorReport
from antidriftd.programs.environment import module_environ

SILENCE_SECS = 20.0
"""How long a program may say nothing; it gives a sign of life at least every 10 s."""

_FIRST_RETRY_SECS = 0.5
# So that a source that is back is seen again within 5 s, the start of the program included.
_MAX_RETRY_SECS = 4.0

_GRACE_SECS = 2.0
_READ_BYTES = 64 * 1024

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SensorProgram:
    """A Python module that senses windows when run, and what it is given."""

    module: str
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def command(self) -> list[str]:
        """The command; `-P` keeps Python from importing from the working directory."""
        return [sys.executable, "-P", "-m", self.module, *self.arguments]

    @property
    def environment(self) -> dict[str, str]:
        """The environment: what Python needs, and HOME, where Xlib looks for .Xauthority."""
        home = {"HOME": os.environ["HOME"]} if "HOME" in os.environ else {}
        return {**module_environ(os.environ), **home, **self.variables}


class BackOff:
    """Waits between attempts: 0.5 s at first, then twice as long each time, 4 s at most."""

    def __init__(self) -> None:
        self._next_secs = _FIRST_RETRY_SECS

    def reset(self) -> None:
        """Begin anew with the shortest wait."""
        self._next_secs = _FIRST_RETRY_SECS

    async def wait(self) -> None:
        """Wait until the next attempt is due."""
        await trio.sleep(self._next_secs)
        self._next_secs = min(2 * self._next_secs, _MAX_RETRY_SECS)


async def keep_running(
    program: SensorProgram,
    report: SensorReport,
    *,
    obstacle: Callable[[], str] = str,
    silence_secs: float = SILENCE_SECS,
) -> Never:
    """Keep `program` running and report what it prints, until cancelled.

    Args:
        program: what to run.
        report: where to tell what it prints, and why there is nothing to tell.
        obstacle: says why it would be no use to start the program now; empty when nothing is known
            against it.
        silence_secs: how long the program may say nothing before it is ended.
    """
    back_off = BackOff()
    while True:
        reason = obstacle()
        if not reason:
            ending = await _run_once(program, report, silence_secs)
            reason = ending.reason
            if ending.lasted:
                back_off.reset()
        report.fails(reason)
        await back_off.wait()


@dataclass(frozen=True, slots=True)
class _Ending:
    """Why a program is of no more use; `lasted` when it had been well for some 10 s before."""

    reason: str
    lasted: bool = False


async def _run_once(program: SensorProgram, report: SensorReport, silence_secs: float) -> _Ending:
    try:
        async with _open_process(program) as process:
            # Trio opens it because of PIPE, and so that it doesn't block.
            stdout = cast("trio.lowlevel.FdStream", process.stdout)
            ending = await _listen(_LineReader(stdout.fileno()), report, silence_secs)
            if not ending.reason:
                # Its own exit status says more than that of being ended.
                with trio.move_on_after(_GRACE_SECS):
                    await process.wait()
    except OSError as problem:
        return _Ending(f"the window sensor can't be started: {problem.strerror}")
    reason = ending.reason or f"the window sensor ended by itself (status {process.returncode})"
    return _Ending(reason, ending.lasted)


@asynccontextmanager
async def _open_process(program: SensorProgram) -> AsyncIterator[trio.Process]:
    """Start the program, and have it gone at the end.

    It ends by itself once its standard input does, so nothing is left behind by a daemon that was
    killed. Standard error stays the daemon's: a traceback is of use in its log.
    """
    process = await trio.lowlevel.open_process(
        program.command,
        env=program.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with trio.CancelScope(shield=True):
            await _end(process)


async def _end(process: trio.Process) -> None:
    """End the program and what it started, and reap it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        # Not reaped yet, so the number can't have been given to another process group.
        if process.returncode is None:
            os.killpg(process.pid, number)
            with trio.move_on_after(_GRACE_SECS):
                await process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            await pipe.aclose()


async def _listen(lines: "_LineReader", report: SensorReport, silence_secs: float) -> _Ending:
    """Report what the program prints; the ending has no reason when the program gave none."""
    said = _Said()
    with trio.CancelScope() as patience:
        while True:
            patience.deadline = trio.current_time() + silence_secs
            new = await lines.receive()
            lasted = said.signs_of_life >= 2
            seen, alive = said.take(new)
            if said.unavailable or not new:
                return _Ending(said.unavailable, lasted)
            report.works(said.detail)
            if alive:
                report.sees_input(alive.idle_secs)
            if seen:
                report.sees(seen.window)
    return _Ending(f"the window sensor was silent for {silence_secs:g} s", said.signs_of_life >= 2)


@dataclass(slots=True)
class _Said:
    """What a program has said so far, windows and input apart."""

    detail: str = ""
    unavailable: str = ""
    signs_of_life: int = 0

    def take(self, lines: list[Line]) -> tuple[Seen | None, Alive | None]:
        """Note what `lines` say; returns the newest of each kind, the only one that counts."""
        seen: Seen | None = None
        alive: Alive | None = None
        for line in lines:
            match line:
                case Seen():
                    seen = line
                case Detail():
                    self.detail = line.text
                case Unavailable():
                    self.unavailable = line.reason
                case Alive():
                    alive = line
                    self.signs_of_life += 1
                case _:
                    assert_never(line)
        return seen, alive


class _LineReader:
    """Reads a program's lines from its output, in one pass of Trio's loop for all that is there."""

    def __init__(self, pipe: int) -> None:
        """Read from a descriptor that doesn't block."""
        self._pipe = pipe
        self._buffer = LineBuffer()
        self._warned = False

    async def receive(self) -> list[Line]:
        """Return what has arrived, at least one line that makes sense; nothing at the end."""
        while data := await self._read():
            lines = [line for text in self._buffer.feed(data) if (line := self._parse(text))]
            if lines:
                return lines
        return []

    async def _read(self) -> bytes:
        await trio.lowlevel.wait_readable(self._pipe)
        return os.read(self._pipe, _READ_BYTES)

    def _parse(self, text: bytes) -> Line | None:
        try:
            return parse_line(text)
        except (ValueError, RecursionError):
            if not self._warned:
                self._warned = True
                _log.warning("the window sensor prints lines that make no sense; ignoring those")
            return None

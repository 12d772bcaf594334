"""Runs a program on a prompt, within limits of time and output, and ends all that it started."""

import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from os import kill
from pathlib import Path
from signal import SIGKILL, Signals
from typing import cast

import trio

from antidriftd.programs import ward
from antidriftd.programs.errors import ProgramError

STREAM_CAP_BYTES = 64 * 1024
"""What is read of standard output, and of standard error, at most."""

_CLEAN_UP_SECS = ward.GRACE_SECS + 2.0
_DRAIN_SECS = 1.0
_REAP_SECS = 1.0


class Ending(Enum):
    """What ended a program."""

    EXITED = "exited"
    TIMED_OUT = "timed out"
    TOO_MUCH = "printed too much"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a program printed, each stream cut at `STREAM_CAP_BYTES`, and how it ended."""

    stdout: bytes
    stderr: bytes
    ending: Ending
    exit_code: int | None = None
    """Its exit code if it exited by itself; negative for the signal that ended it."""

    @property
    def how_it_ended(self) -> str:
        """The end of a sentence that begins with the program's name."""
        match self.exit_code:
            case None:
                return f"was ended after printing {STREAM_CAP_BYTES // 1024} KiB"
            case code if code < 0:
                return f"was ended by {_signal_name(-code)}"
            case code:
                return f"exited with code {code}"


def _signal_name(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:  # the real-time signals have no names
        return f"signal {number}"


async def run_program(
    argv: Sequence[str],
    *,
    prompt: bytes,
    timeout_secs: float,
    environ: Mapping[str, str],
    files: Mapping[str, str] | None = None,
) -> Outcome:
    """Run `argv` with `prompt` on standard input, then end of file; return how it went.

    `argv[0]` is an absolute path, `environ` all that the program gets. It runs in its own session
    and process group, without a terminal, in a private directory that is removed afterwards. That
    is empty but for `files`, texts by relative path. It is ended after `timeout_secs`, past the cap
    of a stream, and when cancelled. On return every process that it started is gone, those included
    that left its session or ignore SIGTERM.

    Raises:
        ProgramError: the program could not be started.
    """
    stdout, stderr = bytearray(), bytearray()
    async with _open_ward(argv, environ, files or {}) as guard:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_feed, guard.stdin, prompt)
            nursery.start_soon(_read, guard.stdout, stdout, guard.ask_to_end)
            nursery.start_soon(_read, guard.stderr, stderr, guard.ask_to_end)
            with trio.move_on_after(timeout_secs) as limit:
                await guard.wait()
            await guard.end()
            # Every writer is gone, so the streams end here, unless the program handed them to a
            # process that is none of its descendants.
            nursery.cancel_scope.deadline = trio.current_time() + _DRAIN_SECS
        ending, exit_code = _ending(argv[0], guard.report(), timed_out=limit.cancelled_caught)
    return Outcome(bytes(stdout), bytes(stderr), ending, exit_code)


@dataclass(frozen=True, slots=True)
class Talk:
    """A program that keeps running: what goes to its standard input, what it prints."""

    stdin: trio.abc.SendStream
    stdout: trio.abc.ReceiveStream


@asynccontextmanager
async def open_program(argv: Sequence[str], environ: Mapping[str, str]) -> AsyncIterator[Talk]:
    """Start `argv` as `run_program` does, to talk with it; on leaving, all that it started ends.

    Nobody reads its standard error: it should print next to nothing there.

    Raises:
        ProgramError: it could not be started.
    """
    async with _open_ward(argv, environ, {}) as guard:
        yield Talk(guard.stdin, guard.stdout)


def _ending(program: str, report: str, *, timed_out: bool) -> tuple[Ending, int | None]:
    match report.split(maxsplit=1):
        case ["exited", code]:
            return Ending.EXITED, int(code)
        case ["failed", why]:
            raise _cannot_run(program, why)
        case ["ended"]:
            return (Ending.TIMED_OUT if timed_out else Ending.TOO_MUCH), None
        case _ if timed_out:
            return Ending.TIMED_OUT, None
        case _:
            raise _cannot_run(program, "the process that watches over it was killed")


def _cannot_run(program: str, why: str) -> ProgramError:
    return ProgramError(f"cannot run {program}: {why}")


async def _feed(stdin: trio.abc.SendStream, prompt: bytes) -> None:
    """Write the prompt and close; a program is free to read none of it."""
    with suppress(trio.BrokenResourceError):
        await stdin.send_all(prompt)
    await stdin.aclose()


async def _read(
    stream: trio.abc.ReceiveStream, into: bytearray, ask_to_end: Callable[[], None]
) -> None:
    """Read to the end of `stream`; at the cap stop reading and have the program ended."""
    while room := STREAM_CAP_BYTES - len(into):
        chunk = await stream.receive_some(room)
        if not chunk:
            return
        into += chunk
    ask_to_end()


class _Guard:
    """The daemon's side of a running ward."""

    def __init__(self, process: trio.Process, control: socket.socket) -> None:
        # None only without the pipes that `_open_ward` asks for.
        self.stdin = cast("trio.abc.SendStream", process.stdin)
        self.stdout = cast("trio.abc.ReceiveStream", process.stdout)
        self.stderr = cast("trio.abc.ReceiveStream", process.stderr)
        self._process = process
        self._control = control

    async def wait(self) -> None:
        """Return when the program has exited, its descendants are ended, and the ward is gone."""
        await self._process.wait()

    def ask_to_end(self) -> None:
        """Have the program and all its descendants ended."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)

    async def end(self) -> None:
        """Return when everything is ended, by force if the ward does not manage in time."""
        self.ask_to_end()
        with trio.CancelScope(shield=True):
            with trio.move_on_after(_CLEAN_UP_SECS):
                await self._process.wait()
            if self._process.returncode is None:
                self._kill_all()
                with trio.move_on_after(_REAP_SECS):
                    await self._process.wait()

    async def close(self) -> None:
        """End what is left and close our ends of the streams."""
        await self.end()
        with trio.CancelScope(shield=True):
            for stream in (self.stdin, self.stdout, self.stderr):
                await stream.aclose()

    def report(self) -> str:
        """Return what the ward, now gone, had to report; empty if it was killed."""
        self._control.setblocking(False)
        try:
            return self._control.recv(4096).decode(errors="replace")
        except OSError:
            return ""

    def _kill_all(self) -> None:
        # Only a ward that is stopped or stuck comes to this: its descendants are still below it.
        for pid in [*ward.descendants(self._process.pid), self._process.pid]:
            with suppress(ProcessLookupError):
                kill(pid, SIGKILL)


@contextmanager
def _private_directory(program: str, files: Mapping[str, str]) -> Iterator[Path]:
    """Make a directory with `files`; the ward removes it, and we do if the ward was killed."""
    try:
        directory = _make_directory(files)
    except OSError as error:
        raise _cannot_run(program, error.strerror or str(error)) from error
    try:
        yield directory
    finally:
        if directory.exists():
            ward.remove(directory)


def _make_directory(files: Mapping[str, str]) -> Path:
    directory = Path(tempfile.mkdtemp(prefix="antidrift-"))
    try:
        for name, text in files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError:
        ward.remove(directory)
        raise
    return directory


@asynccontextmanager
async def _open_ward(
    argv: Sequence[str], environ: Mapping[str, str], files: Mapping[str, str]
) -> AsyncIterator[_Guard]:
    """Start the ward on `argv`; on leaving, the program and all its descendants are ended."""
    with _private_directory(argv[0], files) as private:
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                process = await _start_ward(argv, environ, private, theirs)
            guard = _Guard(process, ours)
            try:
                yield guard
            finally:
                await guard.close()


async def _start_ward(
    argv: Sequence[str], environ: Mapping[str, str], private: Path, control: socket.socket
) -> trio.Process:
    python = [sys.executable, "-I", "-S", str(Path(ward.__file__))]
    try:
        return await trio.lowlevel.open_process(
            [*python, str(control.fileno()), str(private), *argv],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environ,
            start_new_session=True,
            pass_fds=[control.fileno()],
        )
    except OSError as error:
        raise _cannot_run(argv[0], error.strerror or str(error)) from error
    except ValueError as error:  # a NUL in an argument
        raise _cannot_run(argv[0], str(error)) from error

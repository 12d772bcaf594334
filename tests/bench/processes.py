"""What the kernel knows of a process: its CPU time, its wake-ups, its memory, its children."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.checkout import ROOT


def cpu_secs(pid: int) -> float:
    """Return the CPU time of a process, ended threads included, in seconds.

    Its clock counts nanoseconds, where /proc/PID/stat counts hundredths. Python lacks
    clock_getcpuclockid(3), which gives this number.
    """
    return time.clock_gettime((~pid << 3) | 2)


def memory_mib(pid: int, kind: str) -> float:
    """Return `Rss` or `Pss` of a process in MiB: proc(5), smaps_rollup."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(rf"^{kind}:\s+(\d+) kB", rollup, re.M)
    assert found, rollup
    return int(found[1]) / 1024


def child_of(pid: int) -> int:
    """Return the only child of a process: the sensor of a daemon."""
    # A child is listed with the thread that started it.
    listings = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    (child,) = " ".join(listings).split()
    return int(child)


def module(name: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of this checkout."""
    return [sys.executable, "-m", name, *arguments]


def script(name: str) -> str:
    """Return the path of an installed command."""
    return str(Path(sys.executable).with_name(name))


@dataclass(frozen=True, slots=True)
class Program:
    """A program that runs, and the two pipes to it."""

    pid: int
    stdin: int
    stdout: int


@contextmanager
def running(command: Sequence[str], **variables: str) -> Iterator[Program]:
    """Run a program, `variables` added to the environment; at the end it is gone.

    Like a daemon it has a session of its own: the kernel shares out time by session (sched(7),
    autogroup), so that otherwise it would run more, or less, than what it is held against.
    """
    process = subprocess.Popen(
        command,
        env={**os.environ, **variables},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stdin
        assert process.stdout
        yield Program(process.pid, process.stdin.fileno(), process.stdout.fileno())
    finally:
        process.kill()
        process.communicate()


@dataclass(frozen=True, slots=True)
class WholeRun:
    """How long a program ran from its start to its end, and the CPU time it took, in seconds."""

    secs: float
    cpu_secs: float


def run_whole(command: tuple[str, ...], environ: Mapping[str, str]) -> WholeRun:
    """Run a program to its end, its output thrown away."""
    nowhere = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    began = time.perf_counter()
    pid = os.posix_spawn(command[0], command, environ, file_actions=nowhere)
    _, status, usage = os.wait4(pid, 0)
    secs = time.perf_counter() - began
    assert status == 0, f"{command} ended with {os.waitstatus_to_exitcode(status)}"
    return WholeRun(secs, usage.ru_utime + usage.ru_stime)

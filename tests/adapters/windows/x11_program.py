"""Runs the X11 program by itself, with other times than those that users wait for."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from tests.x11 import read_line

PROGRAM = """
import functools
import sys
from antidriftd.adapters.windows import heartbeat, x11
heartbeat.ALIVE_EVERY_SECS = float(sys.argv[1])
x11.ReturnAlarm = functools.partial(x11.ReturnAlarm, absent_secs=float(sys.argv[2]))
x11.run_program(x11.watch)
"""

ALIVE = '{"alive": true'
WAIT_SECS = 30


class Program:
    """A running program, read line by line."""

    def __init__(self, pid: int, stream: trio.abc.ReceiveStream) -> None:
        self.pid = pid
        self._stream = stream

    async def wait_line(self, wanted: str) -> list[str]:
        """Return the lines up to one that holds `wanted`."""
        lines: list[str] = []
        with trio.fail_after(WAIT_SECS):
            while not lines or wanted not in lines[-1]:
                lines.append(await read_line(self._stream))
        return lines


@asynccontextmanager
async def open_program(
    display_name: str, *, alive_every_secs: float = 0.2, absent_secs: float = 25
) -> AsyncIterator[Program]:
    """Run it on a display, with signs of life five times a second unless told otherwise."""
    process = await trio.lowlevel.open_process(
        [sys.executable, "-c", PROGRAM, str(alive_every_secs), str(absent_secs)],
        env={**os.environ, "DISPLAY": display_name, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    async with process.stdin, process.stdout:
        try:
            yield Program(process.pid, process.stdout)
        finally:
            process.kill()
            await process.wait()

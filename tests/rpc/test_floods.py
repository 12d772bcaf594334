"""Clients that send without end: everybody else is served all the same."""

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from tests.daemons import Daemon, open_daemon

# In a process of its own: only so can it keep the daemon's socket full.
FLOOD = """
import os, socket, sys
flood = eval(sys.argv[2])
begun = False
while True:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(sys.argv[1])
        try:
            while True:
                sock.sendall(flood)
                if not begun:
                    begun = os.write(1, b"begun")
        except OSError:
            pass
"""


@asynccontextmanager
async def flooding(daemon: Daemon, flood: str, count: int) -> AsyncIterator[None]:
    """Run `count` processes that send what the expression `flood` is, for ever."""
    command = [sys.executable, "-IS", "-c", FLOOD, str(daemon.home.socket), flood]
    processes = [
        await trio.lowlevel.open_process(command, stdout=subprocess.PIPE) for _ in range(count)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            await process.stdout.receive_some()  # it has begun, and goes on
        yield
    finally:
        for process in processes:
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()


@pytest.mark.parametrize(
    "flood",
    [
        "b'\\n' * 65536",
        "b'x' * 65536",
        """b'{"jsonrpc":"2.0","method":"state"}\\n' * 1800""",
        """b'[' + b','.join([b'{"jsonrpc":"2.0","method":"state"}'] * 1800) + b']\\n'""",
    ],
    ids=["empty lines", "no line end", "notifications", "batches"],
)
@pytest.mark.fault("T15", "program of ours floods the socket")
async def test_who_never_pauses_does_not_keep_others_waiting(tmp_path: Path, flood: str) -> None:
    async with open_daemon(tmp_path) as daemon, flooding(daemon, flood, 2):
        with trio.fail_after(20):
            for _ in range(20):
                await daemon.request("state")
                await trio.sleep(0.05)

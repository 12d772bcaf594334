"""A `watch` that is stopped (Ctrl-Z) while titles change ten thousand times."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
import trio

from tests.daemons import Daemon, open_daemon
from tests.processes import open_files, rss_kib

STOPPED = 50
CHANGES = 10_000
PLAYED_IN_SECS = 8.0
STALLED_AFTER_SECS = 10.0

WATCH = b'{"jsonrpc":"2.0","id":1,"method":"watch"}\n'


def record(path: Path) -> None:
    """Write a recording of very many long titles, and one that stays."""
    with path.open("w") as file:
        for number in range(CHANGES):
            at = PLAYED_IN_SECS * number / CHANGES
            title = f"{number} " + "é" * 1000
            entry = {"at": at, "class": "firefox", "title": title}
            file.write(json.dumps(entry) + "\n")
        file.write(json.dumps({"at": PLAYED_IN_SECS + 0.1, "class": "code", "title": "last"}))


async def open_stopped_watch(daemon: Daemon) -> trio.Process:
    """Start a client of its own that watches, and stop it."""
    process = await trio.lowlevel.open_process(
        ["socat", "-", f"UNIX:{daemon.home.socket}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    await process.stdin.send_all(WATCH)
    assert b'"runtime"' in await process.stdout.receive_some()
    process.send_signal(signal.SIGSTOP)
    return process


async def end(process: trio.Process) -> None:
    with trio.CancelScope(shield=True):
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            await stream.aclose()


@pytest.mark.fault("F17", "readers that stop")
async def test_it_is_dropped_and_nobody_else_notices(tmp_path: Path) -> None:
    recording = tmp_path / "day.jsonl"
    record(recording)
    async with open_daemon(tmp_path, sensor=f"replay:{recording}") as daemon:
        stopped = [await open_stopped_watch(daemon) for _ in range(STOPPED)]
        try:
            memory, files = rss_kib(daemon.pid), open_files(daemon.pid)
            waits: list[float] = []
            title = ""
            with trio.fail_after(8 * PLAYED_IN_SECS):
                while title != "last":
                    begun = trio.current_time()
                    state = await daemon.request("state")
                    waits.append(trio.current_time() - begun)
                    title = state.get("window", {}).get("title", "")
                    await trio.sleep(0.05)

            # Were the daemon to wait for its readers, each would have cost ten seconds.
            assert sorted(waits)[len(waits) // 2] < 0.2
            assert max(waits) < 2
            assert rss_kib(daemon.pid) - memory < 16 * 1024
            with trio.fail_after(4 * STALLED_AFTER_SECS):
                await wait_fewer_files(daemon, files - len(stopped))
            assert (await daemon.request("state"))["window"]["title"] == "last"
        finally:
            for process in stopped:
                await end(process)


async def wait_fewer_files(daemon: Daemon, count: int) -> None:
    while True:
        if open_files(daemon.pid) <= count:
            return
        await trio.sleep(0.1)

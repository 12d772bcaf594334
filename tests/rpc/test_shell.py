"""The documentation's one-liners for a shell, run as they stand there."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
import trio

from tests.checkout import ROOT
from tests.daemons import Daemon, open_daemon

PAGE = (ROOT / "docs" / "protocol.md").read_text()
COMMANDS = re.findall(r"^(printf .* \| socat .*?)(?: \|)?$", PAGE, re.MULTILINE)
"""Up to what picks from the answer: `jq` need not be installed."""


async def shell(daemon: Daemon, command: str) -> trio.Process:
    environ = {**daemon.home.environ, "SOCK": str(daemon.home.socket)}
    return await trio.lowlevel.open_process(
        ["sh", "-c", command], env=environ, stdout=subprocess.PIPE, start_new_session=True
    )


async def lines(process: trio.Process, count: int) -> list[bytes]:
    assert process.stdout is not None
    data = b""
    with trio.fail_after(20):
        while data.count(b"\n") < count:
            data += await process.stdout.receive_some()
    return data.splitlines()


def test_there_are_one_liners() -> None:
    assert len(COMMANDS) >= 3
    assert any("watch" in command for command in COMMANDS)


@pytest.mark.parametrize("command", sorted({line for line in COMMANDS if "watch" not in line}))
async def test_a_one_liner_is_answered(tmp_path: Path, command: str) -> None:
    async with open_daemon(tmp_path) as daemon:
        process = await shell(daemon, command)
        (line,) = await lines(process, 1)
        assert await process.wait() == 0
        assert process.stdout is not None
        await process.stdout.aclose()

    assert json.loads(line)["result"]["runtime"] == "idle"


@pytest.mark.parametrize("command", [line for line in COMMANDS if "watch" in line])
async def test_the_one_that_watches_goes_on(tmp_path: Path, command: str) -> None:
    async with open_daemon(tmp_path) as daemon:
        process = await shell(daemon, command)
        try:
            (first,) = await lines(process, 1)
            await trio.sleep(0.5)
            await daemon.request("plan", intent="read")
            (second,) = await lines(process, 1)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            with trio.CancelScope(shield=True):
                await process.wait()
            assert process.stdout is not None
            await process.stdout.aclose()

    assert json.loads(first)["result"]["runtime"] == "idle"
    assert json.loads(second)["params"]["intent"] == "read"

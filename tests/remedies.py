"""What `doctor` finds, and somebody who does what it says."""

import json
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, TypeAlias

import trio

from tests.clients import PATIENCE_SECS
from tests.daemons import Daemon, Home

Finding: TypeAlias = dict[str, Any]

PATH = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
"""Where the commands of this project are found, and those of the system."""


async def look(daemon: Daemon, name: str) -> Finding:
    """Return what the daemon itself finds of one part."""
    return pick(await daemon.request("doctor"), name)


async def doctor(home: Home, **variables: str) -> tuple[int, Mapping[str, Finding]]:
    """Run `antidrift doctor --json` at home; return its exit code and what it found, by name."""
    done = await run(home, "antidrift doctor --json", **variables)
    assert done.stderr == b"", done.stderr
    findings = json.loads(done.stdout)["findings"]
    return done.returncode, {each["name"]: each for each in findings}


def pick(diagnosis: Mapping[str, Any], name: str) -> Finding:
    """Return the one finding of this name."""
    [found] = [each for each in diagnosis["findings"] if each["name"] == name]
    assert (found["status"] == "ok") == ("remedy" not in found), found
    finding: Finding = found
    return finding


def commands(finding: Finding) -> Sequence[str]:
    """Return the commands that a remedy names, in order."""
    return re.findall("`([^`]+)`", finding["remedy"])


async def run(home: Home, command: str, **variables: str) -> CompletedProcess[bytes]:
    """Type a command at home, in a shell, and return once it has ended."""
    with trio.fail_after(PATIENCE_SECS):
        return await trio.run_process(
            ["sh", "-c", command],
            env={**home.environ, "PATH": PATH, **variables},
            capture_stdout=True,
            capture_stderr=True,
            check=False,
        )


async def restart(daemon: Daemon, finding: Finding, **variables: str) -> None:
    """Restart the daemon as a remedy says: it is stopped, then started again."""
    *_, stop, start = commands(finding)
    assert stop == f"kill {daemon.pid}"
    assert (await run(daemon.home, stop)).returncode == 0
    assert await daemon.wait() == 0
    await start_as_told(daemon, start, **variables)


async def start_as_told(daemon: Daemon, command: str, **variables: str) -> None:
    """Start the daemon with a command that a person was told to type."""
    daemon.home = Home({**daemon.home.environ, "PATH": PATH, **variables})
    daemon.command = ["sh", "-c", f"exec {command}"]
    assert shlex.split(command)[0] == "antidriftd"
    await daemon.start()

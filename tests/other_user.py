"""Another user of the machine, for tests of what such a one may not do.

Only root can act as somebody else, and CI does run as root. For anybody else those tests are
marked as expected to fail, which the summary tells.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

UID = 65_534
"""The user `nobody`."""


def need_to_be_root() -> None:
    """Go on only as root."""
    if os.geteuid() != 0:
        pytest.xfail("only root can act as another user; CI does")


@contextmanager
def open_public_directory() -> Iterator[Path]:
    """Make a directory that every user can enter; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory(prefix="antidrift-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def run_as_other(command: list[str], send: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run `command` as the other user, with `send` on its standard input."""
    need_to_be_root()
    return subprocess.run(
        command,
        input=send,
        capture_output=True,
        check=False,
        timeout=30,
        cwd="/",
        user=UID,
        group=UID,
        extra_groups=[],
    )


def run_read_only(
    directory: Path, script: str, *arguments: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a Python script that finds `directory` on a read-only disk; nobody else does."""
    need_to_be_root()
    mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", mount, directory, sys.executable, "-c", script, *arguments],
        capture_output=True,
        check=False,
        timeout=30,
    )

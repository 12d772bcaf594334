"""A write to the history under strace: what is synced before it is confirmed, what a kill leaves.

SQLite makes the calls: those about the file itself and its -wal. What it shares in -shm is made
anew after a crash.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from tests.adapters.store.histories import contents, new_store, whole

WRITE = """
import os, sys, trio
from pathlib import Path
from antidriftd.adapters.store import history_file
from tests.adapters.store.histories import new_store, whole

{patch}
path = Path(sys.argv[1])
trio.run(new_store(path).write, whole("b"))
os.stat(path.with_name("confirmed"))
"""
NO_SYNC = """
history_file._WANTED = (("journal_mode = WAL", "wal"), ("synchronous = OFF", None))
"""
CALLS = ("openat", "pwrite64", "ftruncate", "fdatasync", "unlink")


@dataclass(frozen=True, slots=True)
class Traced:
    """How a write went."""

    code: int
    calls: list[tuple[str, str]]
    """Each call, and the name of the file it is about."""


def write_under_strace(path: Path, *options: str, patch: str = "") -> Traced:
    """Write a session to the history at `path`."""
    names = (path.name, f"{path.name}-wal", "confirmed")
    paths = [argument for name in names for argument in ("-P", str(path.with_name(name)))]
    log = path.parent.with_suffix(".strace")
    command = ["strace", "-f", "-y", "-qq", "-o", str(log)]
    command += ["-e", f"trace={','.join(CALLS)},newfstatat"]
    command += [*options, *paths, sys.executable, "-c", WRITE.format(patch=patch), str(path)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    pattern = re.compile(rf"(\w+)\(.*{re.escape(str(path.parent))}/([\w.-]+)")
    calls = [
        (found[1], found[2]) for found in map(pattern.search, log.read_text().splitlines()) if found
    ]
    return Traced(done.returncode, calls)


def new_history(directory: Path) -> Path:
    directory.mkdir()
    path = directory / "history.sqlite3"
    trio.run(new_store(path).write, whole("a"))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A history with a session in it."""
    return new_history(tmp_path / "state")


def is_synced(calls: Sequence[tuple[str, str]]) -> bool:
    """Return whether all that was written to a file was synced before the write was confirmed."""
    until = next(number for number, (_, name) in enumerate(calls) if name == "confirmed")
    open_ends = set()
    for call, name in calls[:until]:
        if call in {"pwrite64", "ftruncate"}:
            open_ends.add(name)
        elif call in {"fdatasync", "unlink"}:
            open_ends.discard(name)
    return not open_ends


def test_a_write_is_synced_before_it_is_confirmed(path: Path) -> None:
    traced = write_under_strace(path)

    assert traced.code == 1  # there is no such file: it only marks the moment
    assert ("pwrite64", "history.sqlite3-wal") in traced.calls
    assert is_synced(traced.calls), traced.calls


def test_a_write_that_syncs_nothing_is_caught(path: Path) -> None:
    traced = write_under_strace(path, patch=NO_SYNC)

    assert ("pwrite64", "history.sqlite3-wal") in traced.calls
    assert not is_synced(traced.calls), traced.calls


@pytest.mark.timeout(600)
def test_wherever_it_is_killed_all_of_the_batch_or_nothing_is_left(path: Path) -> None:
    before = contents(path)
    counted = Counter(call for call, _ in write_under_strace(path).calls if call in CALLS)
    after = contents(path)
    left = []
    for call, count in counted.items():
        # Most are about one page after another of the same transaction.
        for number in range(1, count + 1, 3 if call == "pwrite64" else 1):
            killed = new_history(path.parent.with_name(f"{call}-{number}"))
            traced = write_under_strace(killed, "-e", f"inject={call}:signal=KILL:when={number}")
            assert traced.code == -9, (call, number)
            left.append(contents(killed))
            assert left[-1] in [before, after], (call, number)
            # What is written again after the crash is there once.
            trio.run(new_store(killed).write, whole("b"))
            assert contents(killed) == after, (call, number)

    assert before in left
    assert after in left
    assert counted.keys() == set(CALLS)

"""The power is cut at any call of a save: what was acknowledged is there, and can be read."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
import trio

from antidriftd.adapters.store import codec
from antidriftd.adapters.store.history import SqliteHistoryStore
from antidriftd.adapters.store.port import StoreError
from tests.adapters.store.histories import contents, new_store, whole
from tests.adapters.store.test_history_file import later_store
from tests.faults.power import OPTIONS, Disk, Files, calls_in
from tests.faults.table import Fault, Tell, control

SAVES = 110
STATES = 500
"""As many at least have to be told apart."""
BATCHES = 3
CUTS_A_CALL = 2
MANY_WRONG = 40
CHANGING = "killed, or cut off, while the schema changes"

_LIVE = """
import os, sys, trio
from pathlib import Path
from antidriftd.adapters.store.snapshot import FileSnapshotStore
from tests.adapters.store.histories import new_store, whole
from tests.adapters.store.samples import planned
from tests.adapters.store.test_history_file import later_store
{patch}

directory, count = Path(sys.argv[2]), int(sys.argv[3])

async def in_this_thread(call, *arguments, **_):
    return call(*arguments)

trio.to_thread.run_sync = in_this_thread

def acknowledge(number):
    try:
        os.stat(directory / f"acknowledged-{{number}}")
    except FileNotFoundError:
        pass

async def keep_snapshots():
    store = FileSnapshotStore(directory / "snapshot.json", lambda: 0.0)
    for number in range(1, count + 1):
        await store.save(planned("x" * 100, number))
        acknowledge(number)

async def keep_history():
    store = new_store(directory / "history.sqlite3")
    for number in range(1, count + 1):
        await store.write(whole(f"session {{number}}"))
        acknowledge(number)

async def migrate():
    path = directory / "history.sqlite3"
    await new_store(path).write(whole("session 1"))
    acknowledge(1)
    await later_store(path).write(whole("session 2"))
    acknowledge(2)

trio.run(
    {{"snapshot": keep_snapshots, "history": keep_history, "migration": migrate}}[sys.argv[1]]
)
"""
NO_SYNC = "os.fsync = lambda descriptor: None"
NO_SYNC_OF_SQLITE = """
from antidriftd.adapters.store import history_file
history_file._WANTED = (("journal_mode = WAL", "wal"), ("synchronous = OFF", None))
"""

Check = Callable[[Files, int], str]
"""Says what is wrong when so many were acknowledged; nothing when all is right."""


@dataclass(slots=True)
class Cuts:
    """How many states there were, and what was wrong with some."""

    count: int = 0
    wrong: list[str] = field(default_factory=list)


def record(directory: Path, what: str, count: int, patch: str) -> str:
    """Return the trace of a life in which `what` is kept."""
    state_dir = directory / "state"
    state_dir.mkdir()
    log = directory / "strace.log"
    program = [sys.executable, "-c", _LIVE.format(patch=patch), what, str(state_dir), str(count)]
    subprocess.run(["strace", *OPTIONS, "-o", str(log), *program], check=True, timeout=60)
    return log.read_text()


def cut_everywhere(directory: Path, log: str, check: Check, at_most: int, enough: int = 1) -> Cuts:
    """Cut the power after each call of a life, and check what may be left.

    It goes on until all has been tried, or so many are wrong that it is `enough`.
    """
    rng = Random(20_261_130)  # noqa: S311  # the same states in every run
    disk, cuts, acknowledged = Disk(directory / "state"), Cuts(), 0
    seen = set()
    for call in calls_in(log):
        mark = disk.take(call)
        if mark.startswith("acknowledged-"):
            acknowledged = int(mark.partition("-")[2])
        for files in disk.after_a_cut(rng, at_most):
            state = (acknowledged, *sorted(files.items()))
            if state in seen:
                continue
            seen.add(state)
            cuts.count += 1
            if wrong := check(files, acknowledged):
                cuts.wrong.append(f"after {call.name}, {acknowledged} acknowledged: {wrong}")
            if len(cuts.wrong) == enough:
                return cuts
    return cuts


# --- the snapshot ----------------------------------------------------------------------------


def check_snapshot(files: Files, acknowledged: int) -> str:
    data = files.get("snapshot.json")
    if data is None:
        return "it is gone" if acknowledged else ""
    try:
        saved = codec.decode(data)
    except codec.Unreadable as error:
        return str(error)
    return "" if saved.revision >= acknowledged else f"revision {saved.revision}"


def cut_snapshots(directory: Path, saves: int = SAVES, patch: str = "") -> Cuts:
    log = record(directory, "snapshot", saves, patch)
    return cut_everywhere(directory, log, check_snapshot, STATES, MANY_WRONG)


def test_a_power_cut_leaves_the_newest_snapshot_that_was_acknowledged(
    tmp_path: Path, tell_fault: Tell
) -> None:
    cuts = cut_snapshots(tmp_path)
    tell_fault(Fault("F4", "power cut during a save", cuts.count, len(cuts.wrong)))

    assert cuts.wrong == []
    assert cuts.count >= STATES


def test_a_save_that_syncs_nothing_is_caught(tmp_path: Path, tell_fault: Tell) -> None:
    cuts = cut_snapshots(tmp_path, 4, NO_SYNC)
    found = control(is_caught=bool(cuts.wrong))
    tell_fault(Fault("F4", "power cut during a save", 0, 0, found))

    assert any("revision" in what or "gone" in what for what in cuts.wrong)
    assert any("malformed" in what or "truncated" in what for what in cuts.wrong)


# --- the history -----------------------------------------------------------------------------


@pytest.fixture
def memory_disk() -> Iterator[Path]:
    """A directory that costs no time to sync."""
    with TemporaryDirectory(dir="/dev/shm") as name:
        yield Path(name)


def check_history_in(
    place: Path, open_store: Callable[[Path], SqliteHistoryStore] = new_store
) -> Check:
    """Return what has a store go on with what is left, in directories below `place`."""

    def check(files: Files, acknowledged: int) -> str:
        with TemporaryDirectory(dir=place) as name:
            path = Path(name, "history.sqlite3")
            for each, data in files.items():
                path.with_name(each).write_bytes(data)
            try:
                if trouble := trio.run(open_store(path).write, whole("next")):
                    return trouble
                found = {row["session_id"] for row in contents(path)["sessions"]}
            except (StoreError, AssertionError) as error:
                return str(error) or "it is damaged"
        wanted = {f"session {number + 1}" for number in range(acknowledged)}
        return f"it lacks {sorted(wanted - found)}" if wanted - found else ""

    return check


def cut_history(directory: Path, place: Path, batches: int = BATCHES, patch: str = "") -> Cuts:
    log = record(directory, "history", batches, patch)
    return cut_everywhere(directory, log, check_history_in(place), CUTS_A_CALL)


def test_a_power_cut_leaves_every_session_that_was_acknowledged(
    tmp_path: Path, memory_disk: Path, tell_fault: Tell
) -> None:
    cuts = cut_history(tmp_path, memory_disk)
    tell_fault(Fault("F5", "power cut while the history is written", cuts.count, len(cuts.wrong)))

    assert cuts.wrong == []
    assert cuts.count >= 100


def test_a_history_that_is_not_synced_is_caught(
    tmp_path: Path, memory_disk: Path, tell_fault: Tell
) -> None:
    cuts = cut_history(tmp_path, memory_disk, 1, NO_SYNC_OF_SQLITE)
    found = control(is_caught=bool(cuts.wrong))
    tell_fault(Fault("F5", "power cut while the history is written", 0, 0, found))

    assert cuts.wrong != []


# --- another schema --------------------------------------------------------------------------

IN_PIECES = """
def migrate_in_pieces(connection, schema, migrations):
    for number, statements in enumerate(migrations[schema:], start=schema + 1):
        connection.execute(f"PRAGMA user_version = {number}")
        for statement in statements:
            connection.execute(statement)

from antidriftd.adapters.store import history_file
history_file._migrate = migrate_in_pieces
"""
"""A store that brings a history up to date in several transactions."""


def cut_migration(directory: Path, place: Path, patch: str = "") -> Cuts:
    log = record(directory, "migration", 0, patch)
    return cut_everywhere(directory, log, check_history_in(place, later_store), CUTS_A_CALL)


def test_a_power_cut_leaves_the_old_schema_or_the_new_one(
    tmp_path: Path, memory_disk: Path, tell_fault: Tell
) -> None:
    cuts = cut_migration(tmp_path, memory_disk)
    tell_fault(Fault("F11", CHANGING, cuts.count, len(cuts.wrong)))

    assert cuts.wrong == []
    assert cuts.count >= 100


def test_a_change_of_schema_in_pieces_is_caught(
    tmp_path: Path, memory_disk: Path, tell_fault: Tell
) -> None:
    cuts = cut_migration(tmp_path, memory_disk, IN_PIECES)
    tell_fault(Fault("F11", CHANGING, 0, 0, control(is_caught=bool(cuts.wrong))))

    assert cuts.wrong != []

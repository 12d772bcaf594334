"""Disks of many sizes that fill up, and files that may not grow: the old is whole, all is saved."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trio

from antidriftd.adapters.store.port import StoreError
from tests.adapters.store.histories import contents, copy_of_history, new_store, whole
from tests.daemons import Daemon
from tests.faults.findings import Findings
from tests.faults.forks import Forks, open_forked, open_forks
from tests.faults.scripted import on_disk
from tests.faults.small_disk import file_size_limit, fill, seen_by, with_disks
from tests.faults.table import Fault, Tell, control

SIZES_KIB = range(64, 1025, 64)
HISTORY_NEEDS_KIB = 512
"""On a smaller disk the history may find no room at all, and then waits in the snapshot."""
LIMITS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100, 144, 200, 233, 250, 300, 350, 377, 400)
AT_ONCE = 4
FILES = {"lock", "snapshot.json", "title.key"}
"""What is in the state directory of a session; no temporary file is left there."""
LOOKS_AT_HISTORY = 100

FULL = "a disk of some size fills up, and is freed"
SHORT = "a write is cut short"

WRITES_IN_PLACE = """
from antidriftd.adapters.store.port import StoreError
from antidriftd.adapters.store.snapshot import FileSnapshotStore

def save_in_place(self, data):
    try:
        self._path.write_bytes(data)
    except OSError as error:
        raise StoreError(str(error)) from error

FileSnapshotStore._save = save_in_place
"""
"""A daemon that overwrites its snapshot."""


# --- a full disk -----------------------------------------------------------------------------


@contextmanager
def open_forks_with_disks(directory: Path, patch: str = "") -> Iterator[Forks]:
    """Have forks in whose eyes each state directory is a small disk of its own."""
    disks = ((directory / f"{size}" / "state", size) for size in SIZES_KIB)
    with open_forks(patch, with_disks(disks)) as forks:
        yield forks


async def fill_and_free(forks: Forks, directory: Path, size: int, found: Findings) -> None:
    """Fill a disk of so many KiB under a session, and make room again."""
    place = directory / f"{size}"
    env = {"ANTIDRIFT_STATE_DIR": str(place / "state")}
    async with open_forked(forks, place, env=env) as daemon:
        disk = seen_by(daemon.pid, place / "state")
        snapshot = disk / "snapshot.json"
        await daemon.request("start", next_action="write")
        before = on_disk(snapshot)
        fill(disk / "ballast")
        for number in range(3):
            state = await daemon.request("ontask", window_title=f"{number}")
            is_told = not state["durable"] and "No space left" in state["notices"][0]
            found.look(f"{size}: it isn't told", is_right=is_told)
        found.look(f"{size}: the old one is gone", is_right=on_disk(snapshot) == before)
        names = {path.name for path in disk.iterdir()}
        found.look(f"{size}: {names} are there", is_right=names == {"ballast", *FILES})
        await daemon.request("complete")
        (disk / "ballast").unlink()
        await daemon.request("review", outcome="done")
        await wait_saved(daemon, size)
        # On a very small one the history may have taken the room.
        is_durable = (await daemon.request("start", next_action="read"))["durable"]
        await daemon.kill()
        await daemon.start()
        disk = seen_by(daemon.pid, place / "state")
        state = await daemon.request("state")
        is_there = state["runtime"] == "active"
        found.look(f"{size}: it is lost", is_right=is_there or not is_durable)
        found.look(f"{size}: no room", is_right=is_durable or size < HISTORY_NEEDS_KIB)
        for what in await lasting_faults_of_history(disk, size):
            found.look(f"{size}: {what}", is_right=False)


async def wait_saved(daemon: Daemon, size: int) -> None:
    """Return once nothing is said of the disk any more, or only of the room for a history."""
    has_room = size >= HISTORY_NEEDS_KIB
    await daemon.wait_state(
        lambda state: bool(state["durable"]) and not (has_room and "notices" in state)
    )


async def lasting_faults_of_history(disk: Path, size: int) -> list[str]:
    """Return what stays wrong: a start writes what it owes the history a moment after it serves."""
    for _ in range(LOOKS_AT_HISTORY):
        if not await faults_of_history(disk, size):
            return []
        await trio.sleep(0.1)
    return await faults_of_history(disk, size)


async def faults_of_history(disk: Path, size: int) -> list[str]:
    """Return what is wrong with a copy of the history, which may be torn."""
    with copy_of_history(disk / "history.sqlite3") as copy:
        try:
            trouble = await new_store(copy).write(whole("next"))
            rows = contents(copy)["sessions"]
        except (StoreError, sqlite3.DatabaseError, AssertionError) as error:
            return [f"it can't be read: {error}"]
    done = [row["next_action"] for row in rows if row["outcome"]]
    if size >= HISTORY_NEEDS_KIB and sorted(done) != ["write", "write"]:
        return [trouble, f"it has {done}"]
    return [trouble] if trouble else []


async def fill_disks(directory: Path, sizes: Iterator[int] | range, patch: str = "") -> Findings:
    found, limit = Findings(), trio.CapacityLimiter(AT_ONCE)
    with open_forks_with_disks(directory, patch) as forks:

        async def one(size: int) -> None:
            async with limit:
                await fill_and_free(forks, directory, size, found)

        async with trio.open_nursery() as nursery:
            for size in sizes:
                nursery.start_soon(one, size)
    return found


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory with a short name, as a socket's must be."""
    with TemporaryDirectory() as name:
        yield Path(name)


@pytest.mark.timeout(300)
async def test_a_disk_of_any_size_may_fill_up_and_be_freed(place: Path, tell_fault: Tell) -> None:
    found = await fill_disks(place, SIZES_KIB)
    tell_fault(Fault("F6", FULL, len(SIZES_KIB), len(found.wrong)))

    assert found.wrong == []


async def test_one_that_overwrites_is_caught_on_a_full_disk(place: Path, tell_fault: Tell) -> None:
    found = await fill_disks(place, range(64, 65), WRITES_IN_PLACE)
    is_caught = "64: the old one is gone" in found.wrong
    tell_fault(Fault("F6", FULL, 0, 0, control(is_caught=is_caught)))

    assert is_caught


# --- a file that may not grow ----------------------------------------------------------------


async def write_short(directory: Path, limits: tuple[int, ...], patch: str = "") -> Findings:
    """Have every write stop after so many bytes."""
    found = Findings()
    with open_forks(patch) as forks:
        async with open_forked(forks, directory) as daemon:
            await daemon.request("start", next_action="write")
            for limit in limits:
                before = daemon.home.snapshot.read_bytes()
                with file_size_limit(daemon.pid, limit):
                    state = await daemon.request("extend", secs=1)
                    is_told = str(daemon.home.snapshot) in str(state.get("notices"))
                    found.look(f"{limit}: it isn't told", is_right=is_told and not state["durable"])
                    after = daemon.home.snapshot.read_bytes()
                    found.look(f"{limit}: it is cut", is_right=after == before)
                    names = {path.name for path in daemon.home.state_dir.iterdir()}
                    found.look(f"{limit}: {names} are there", is_right=names == FILES)
                state = await daemon.request("extend", secs=1)
                found.look(f"{limit}: it isn't saved", is_right=state["durable"])
    return found


async def test_a_write_that_is_cut_short_leaves_the_old_file_whole(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await write_short(tmp_path, LIMITS)
    tell_fault(Fault("F7", SHORT, len(LIMITS), len(found.wrong)))

    assert found.wrong == []


async def test_one_that_overwrites_is_caught_by_a_short_write(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await write_short(tmp_path, (100,), WRITES_IN_PLACE)
    is_caught = "100: it is cut" in found.wrong
    tell_fault(Fault("F7", SHORT, 0, 0, control(is_caught=is_caught)))

    assert is_caught

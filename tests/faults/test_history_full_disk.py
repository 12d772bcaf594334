"""A disk that takes no history: the session goes on, it is said, and all is written later."""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.adapters.store.histories import contents_if_any, copy_of_history
from tests.clients import PATIENCE_SECS
from tests.daemons import Daemon, open_daemon
from tests.faults.small_disk import file_size_limit, fill, seen_by, with_disks

NOTICE = "the history is not written, and tried again by itself: "

Read = Callable[[Path], list[str]]


def sessions(path: Path) -> list[str]:
    """Return what was done in the sessions that were reviewed."""
    rows = contents_if_any(path)["sessions"]
    return [row["next_action"] for row in rows if row["outcome"]]


def sessions_elsewhere(path: Path) -> list[str]:
    """Return the same of a path into what only the daemon sees; none for a copy that is torn."""
    with copy_of_history(path) as copy, suppress(sqlite3.DatabaseError, AssertionError):
        return sessions(copy)
    return []


async def have_session(daemon: Daemon, name: str) -> dict[str, Any]:
    """Have a session from start to review; return the last state."""
    await daemon.request("start", next_action=name)
    await daemon.request("complete")
    return await daemon.request("review", outcome="done")


def refusals(state: dict[str, Any]) -> list[str]:
    return [notice for notice in state.get("notices", []) if notice.startswith(NOTICE)]


async def wait_told(daemon: Daemon) -> str:
    """Return the notice that the history isn't written."""
    (notice,) = refusals(await daemon.wait_state(lambda state: bool(refusals(state))))
    return notice


async def wait_written(daemon: Daemon, path: Path, *names: str, read: Read = sessions) -> None:
    """Return once the history has these sessions, and nothing is said of it any more."""
    await wait_sessions(path, *names, read=read)
    await daemon.wait_state(lambda state: "notices" not in state)


async def wait_sessions(path: Path, *names: str, read: Read = sessions) -> None:
    with trio.fail_after(PATIENCE_SECS):
        while True:
            if sorted(read(path)) == sorted(names):
                return
            await trio.sleep(0.05)


@pytest.mark.fault("F6", "a disk of some size fills up, and is freed")
async def test_a_full_disk_costs_no_session(tmp_path: Path) -> None:
    state_dir = tmp_path / "state"
    prefix = with_disks([(state_dir, 640)])
    env = {"ANTIDRIFT_STATE_DIR": str(state_dir)}
    async with open_daemon(tmp_path, env=env, prefix=prefix) as daemon:
        disk = seen_by(daemon.pid, state_dir)
        path = disk / "history.sqlite3"
        await have_session(daemon, "first")
        await wait_written(daemon, path, "first", read=sessions_elsewhere)
        fill(disk / "ballast", leave=24 * 1024)

        # A snapshot finds room now and then, a history with its two companions never does.
        assert (await have_session(daemon, "second"))["runtime"] == "idle"
        assert "history.sqlite3: " in await wait_told(daemon)
        assert (await have_session(daemon, "third"))["runtime"] == "idle"
        await wait_sessions(path, "first", read=sessions_elsewhere)

        (disk / "ballast").unlink()
        names = ("first", "second", "third")
        await wait_written(daemon, path, *names, read=sessions_elsewhere)


@pytest.mark.fault("F7", "a write is cut short")
async def test_a_file_that_may_not_grow_keeps_what_it_has(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        path = daemon.home.state_dir / "history.sqlite3"
        await have_session(daemon, "first")
        await wait_written(daemon, path, "first")
        # Enough for a snapshot, not for a page of the -wal after its first.
        with file_size_limit(daemon.pid, 5_000):
            assert (await have_session(daemon, "second"))["durable"]
            assert str(path) in await wait_told(daemon)
            assert sessions(path) == ["first"]

        await wait_written(daemon, path, "first", "second")


async def test_what_was_not_written_survives_a_kill(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        path = daemon.home.state_dir / "history.sqlite3"
        path.with_name("history.sqlite3-wal").mkdir()  # stands for a disk that refuses
        await have_session(daemon, "first")
        await wait_told(daemon)
        await daemon.kill()
        path.with_name("history.sqlite3-wal").rmdir()
        await daemon.start()

        await wait_written(daemon, path, "first")


async def test_one_who_holds_the_file_delays_no_command(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        path = daemon.home.state_dir / "history.sqlite3"
        await have_session(daemon, "first")
        await wait_written(daemon, path, "first")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for name in ("second", "third"):
                assert (await have_session(daemon, name))["durable"]
            assert "locked" in await wait_told(daemon)
            other.execute("ROLLBACK")

        await wait_written(daemon, path, "first", "second", "third")


@pytest.mark.fault("F10", "the history is damaged")
async def test_a_damaged_history_is_told_until_the_next_session_begins(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        path = daemon.home.state_dir / "history.sqlite3"
        await have_session(daemon, "first")
        await wait_written(daemon, path, "first")
        path.write_bytes(b"no history")  # a small file
        await have_session(daemon, "second")
        state = await daemon.wait_state(lambda state: "notices" in state)
        (notice,) = state["notices"]
        (kept,) = path.parent.glob("history.sqlite3.unreadable-*Z")

        assert notice == (
            f"the history could not be read (file is not a database); it is kept as {kept}"
        )
        assert kept.read_bytes() == b"no history"
        await wait_sessions(path, "second")
        assert (await daemon.request("plan", intent="read"))["notices"] == [notice]
        assert "notices" not in await daemon.request("start")


@pytest.mark.fault("F11", "another version wrote the file")
async def test_a_newer_history_is_said_and_left_alone(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        path = daemon.home.state_dir / "history.sqlite3"
        await have_session(daemon, "first")
        await wait_written(daemon, path, "first")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version = 99")
        before = path.read_bytes()  # a small file
        await have_session(daemon, "second")

        assert f"{path} has schema 99, and this version knows" in await wait_told(daemon)
        assert path.read_bytes() == before  # a small file

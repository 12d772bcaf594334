"""A snapshot that can't be read: the daemon starts, says which file and why, and keeps it."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from tests.daemons import Daemon, open_daemon
from tests.faults.forks import Forks, open_forked

STARTS_WITHIN_SECS = 15
"""Far more than it takes, so that a busy machine is no failure; a FIFO would block for ever."""


def newer(data: bytes) -> bytes:
    snapshot = json.loads(data)
    return json.dumps(snapshot | {"schema": 2, "added": {"in": "version 2"}}).encode()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "0 bytes": lambda data: b"",
    "43 NULs": lambda data: b"\0" * 43,
    "cut at byte 20": lambda data: data[:20],
    "cut at its end": lambda data: data[:-2],
    "[]": lambda data: b"[]",
    "20 MB": lambda data: data * (20_000_000 // len(data)),
    "a newer schema": newer,
}


async def start(daemon: Daemon) -> None:
    with trio.fail_after(STARTS_WITHIN_SECS):
        await daemon.start()


def set_aside(daemon: Daemon) -> Path:
    (path,) = daemon.home.state_dir.glob("snapshot.json.unreadable-*")
    return path


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.fault("F9", "the snapshot is damaged")
async def test_it_starts_and_tells_and_keeps_the_file(
    tmp_path: Path, damage: Callable[[bytes], bytes], forks: Forks
) -> None:
    async with open_forked(forks, tmp_path) as daemon:
        before = await daemon.request("start", next_action="write")
        await daemon.kill()
        damaged = damage(daemon.home.snapshot.read_bytes())
        daemon.home.snapshot.write_bytes(damaged)
        await start(daemon)

        kept = set_aside(daemon)
        state = await daemon.request("state")
        (notice,) = state["notices"]
        assert str(kept) in notice
        assert state["runtime"] == "idle"
        assert state["revision"] > before["revision"]
        # The next command tells it too, and then its own snapshot is saved beside it.
        assert (await daemon.request("plan", intent="read"))["notices"] == [notice]
        assert "notices" not in await daemon.request("start")
        assert kept.read_bytes() == damaged

        await daemon.restart()
        state = await daemon.request("state")
        assert (state["runtime"], "notices" in state) == ("active", False)
        assert kept.read_bytes() == damaged


@pytest.mark.parametrize(
    ("make", "why"), [(os.mkfifo, "not a regular file"), (Path.mkdir, "Is a directory")]
)
@pytest.mark.fault("F9", "the snapshot is damaged")
async def test_what_is_no_file_does_not_block_the_start(
    tmp_path: Path, make: Callable[[Path], None], why: str
) -> None:
    async with open_daemon(tmp_path, started=False) as daemon:
        daemon.home.state_dir.mkdir(mode=0o700, parents=True)
        make(daemon.home.snapshot)
        await start(daemon)

        (notice,) = (await daemon.request("state"))["notices"]
        assert str(set_aside(daemon)) in notice
        assert why in notice


async def test_a_link_of_ours_is_followed_by_every_save(tmp_path: Path) -> None:
    target = tmp_path / "synced" / "antidrift.json"
    target.parent.mkdir()
    async with open_daemon(tmp_path) as daemon:
        await daemon.request("plan", intent="read")
        await daemon.terminate()
        daemon.home.snapshot.rename(target)
        daemon.home.snapshot.symlink_to(target)
        await daemon.start()
        assert (await daemon.request("plan", intent="write"))["durable"]

        assert daemon.home.snapshot.is_symlink()
        assert json.loads(target.read_bytes())["body"]["intent"] == "write"

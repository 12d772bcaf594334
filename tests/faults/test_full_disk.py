"""A disk that is full, or takes no more: nothing old is harmed, and it is saved later by itself."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import trio

from tests import other_user
from tests.daemons import Daemon, open_daemon


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


async def wait_durable(daemon: Daemon) -> None:
    """Return once the daemon has saved everything, which it must do unasked."""
    state = await daemon.wait_state(lambda state: bool(state["durable"]))
    assert "notices" not in state


@contextmanager
def file_size_limit(pid: int, limit: int) -> Iterator[None]:
    """Let a process write no file beyond `limit` bytes: it writes short, as on a full disk."""
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (limit, before[1]))
    yield
    resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("limit", [0, 1, 100, 250])
@pytest.mark.fault("F7", "a write is cut short")
async def test_a_file_that_may_not_grow_leaves_the_old_snapshot(tmp_path: Path, limit: int) -> None:
    async with open_daemon(tmp_path) as daemon:
        await daemon.request("start", next_action="write")
        before = daemon.home.snapshot.read_bytes()
        assert len(before) > 250
        with file_size_limit(daemon.pid, limit):
            state = await daemon.request("ontask", window_title="draft")
            assert state["durable"] is False
            assert state["commitment"]["allowed_window_titles"] == ["draft"]
            (notice,) = state["notices"]
            assert str(daemon.home.snapshot) in notice
            assert daemon.home.snapshot.read_bytes() == before
            assert names(daemon.home.state_dir) == ["lock", "snapshot.json", "title.key"]
            # The old one is what a crash at this moment would come back with.
            assert (await daemon.request("state"))["durable"] is False
        await wait_durable(daemon)

        await daemon.kill()
        await daemon.start()
        state = await daemon.request("state")
        assert state["commitment"]["allowed_window_titles"] == ["draft"]


@pytest.mark.fault("F6", "a disk of some size fills up, and is freed")
async def test_a_full_disk_is_survived_and_space_is_used_when_it_comes(tmp_path: Path) -> None:
    other_user.need_to_be_root()
    state_dir = tmp_path / "state"
    state_dir.mkdir(mode=0o700)
    mount = f'mount -t tmpfs -o size=64k,mode=700 none {state_dir} && exec "$@"'
    async with open_daemon(
        tmp_path,
        env={"ANTIDRIFT_STATE_DIR": str(state_dir)},
        prefix=("unshare", "-m", "sh", "-c", mount, "sh"),
    ) as daemon:
        # What it sees there, only it sees.
        disk = Path(f"/proc/{daemon.pid}/root{state_dir}")
        await daemon.request("start", next_action="write")
        before = (disk / "snapshot.json").read_bytes()
        fill(disk / "ballast")

        for number in range(3):
            state = await daemon.request("ontask", window_title=f"draft {number}")
            assert state["durable"] is False
            assert "No space left on device" in state["notices"][0]
            assert len(state["notices"]) == 1
        assert (disk / "snapshot.json").read_bytes() == before
        assert names(disk) == ["ballast", "lock", "snapshot.json", "title.key"]

        (disk / "ballast").unlink()
        await wait_durable(daemon)
        assert b"draft 2" in (disk / "snapshot.json").read_bytes()


def fill(path: Path) -> None:
    """Fill the disk to the last block."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass


@pytest.mark.fault("F8", "the state directory is taken away")
async def test_a_state_directory_that_is_taken_away_stops_nothing(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        home = daemon.home.state_dir
        await daemon.request("start", next_action="write")
        away = home.rename(tmp_path / "away")
        state = await daemon.request("ontask", window_title="draft")
        assert (state["durable"], state["runtime"]) == (False, "active")
        await trio.sleep(0.1)
        assert (await daemon.request("state"))["durable"] is False

        away.rename(home)
        await wait_durable(daemon)


async def test_a_refusal_is_not_logged_without_end(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        await daemon.request("start", next_action="write")
        daemon.home.state_dir.rename(tmp_path / "away")
        await daemon.request("ontask", window_title="draft")
        await trio.sleep(3)

        assert 1 <= daemon.log.count("not saved") <= 4

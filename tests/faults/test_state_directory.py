"""A state directory that can't be written, read or found: at the start, and while it is in use."""

import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from tests import other_user
from tests.faults.findings import Findings
from tests.faults.forks import ForkedDaemon, open_forked, open_forks
from tests.faults.table import Fault, Tell, control
from tests.processes import cpu_secs

WHILE_SECS = 2.0
REFUSED_WITHIN_SECS = 10.0
"""Far more than the two that it may take, so that a busy machine is no failure."""
WHAT = "the state directory is taken away"

SPINS = """
from antidriftd.core import saving
saving._FIRST_RETRY_SECS = saving._LONGEST_RETRY_SECS = 0.0
"""
"""A daemon that tries again at once, for ever."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A way to lose the directory, and the way back; each is told where it is seen."""

    lose: Callable[[Path, int], None]
    give_back: Callable[[Path, int], None]


def lose_write_access(path: Path, _pid: int) -> None:
    path.chmod(0o500)


def lose_all_access(path: Path, _pid: int) -> None:
    path.chmod(0o000)


def give_access(path: Path, _pid: int) -> None:
    path.chmod(0o700)


def make_read_only(path: Path, pid: int) -> None:
    in_its_eyes(pid, "mount", "--bind", path, path)
    in_its_eyes(pid, "mount", "-o", "remount,bind,ro", path)


def unmount(path: Path, pid: int) -> None:
    in_its_eyes(pid, "umount", path)


def in_its_eyes(pid: int, *command: str | Path) -> None:
    """Run a command where a daemon's disks are mounted as only it sees them."""
    subprocess.run(["nsenter", "-t", str(pid), "-m", *command], check=True, timeout=30)


def move(path: Path, _pid: int) -> None:
    path.rename(path.with_name("away"))


def move_back(path: Path, _pid: int) -> None:
    path.unlink(missing_ok=True)
    path.with_name("away").rename(path)


def replace_by_file(path: Path, pid: int) -> None:
    move(path, pid)
    path.write_text("precious")


def delete(path: Path, _pid: int) -> None:
    shutil.rmtree(path)


def make_anew(path: Path, _pid: int) -> None:
    path.mkdir(mode=0o700)


LOSSES = {
    "not writable": Loss(lose_write_access, give_access),
    "closed": Loss(lose_all_access, give_access),
    "read-only": Loss(make_read_only, unmount),
    "moved": Loss(move, move_back),
    "a file": Loss(replace_by_file, move_back),
    "deleted": Loss(delete, make_anew),
}


@asynccontextmanager
async def open_session(directory: Path, patch: str = "") -> AsyncIterator[ForkedDaemon]:
    """Have a daemon that modes stop, as they don't stop root, and with disks of its own."""
    other_user.need_to_be_root()
    as_others = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    env = {"ANTIDRIFT_STATE_DIR": str(directory / "state")}
    with open_forks(patch, ("unshare", "-m", *as_others)) as forks:
        async with open_forked(forks, directory, env=env) as daemon:
            await daemon.request("start", next_action="write")
            yield daemon


# --- while it is in use ----------------------------------------------------------------------


async def lose_and_give_back(daemon: ForkedDaemon, loss: Loss) -> Findings:
    """Take the directory away under a session, and give it back."""
    found, path = Findings(), daemon.home.state_dir
    loss.lose(path, daemon.pid)
    for number in range(3):
        state = await daemon.request("ontask", window_title=f"{number}")
        is_told = not state["durable"] and len(state.get("notices", [])) == 1
        found.look("it isn't told", is_right=is_told and state["runtime"] == "active")
    computed = cpu_secs(daemon.pid)
    await trio.sleep(WHILE_SECS)
    spent = cpu_secs(daemon.pid) - computed
    found.look(f"it spins: {spent} s", is_right=spent < WHILE_SECS / 4)
    found.look_at_log(daemon.log, max_lines=20)
    loss.give_back(path, daemon.pid)
    state = await daemon.wait_state(lambda state: bool(state["durable"]))
    found.look("it goes on being told", is_right="notices" not in state)
    await daemon.kill()
    await daemon.start()
    state = await daemon.request("state")
    found.look("it is lost", is_right=len(state["commitment"]["allowed_window_titles"]) == 3)
    return found


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
async def test_a_directory_that_is_lost_in_use_stops_nothing(
    tmp_path: Path, loss: Loss, tell_fault: Tell
) -> None:
    async with open_session(tmp_path) as daemon:
        found = await lose_and_give_back(daemon, loss)
    tell_fault(Fault("F8", WHAT, 1, len(found.wrong)))

    assert found.wrong == []


async def test_a_daemon_that_tries_again_without_a_pause_is_caught(
    tmp_path: Path, tell_fault: Tell
) -> None:
    async with open_session(tmp_path, SPINS) as daemon:
        found = await lose_and_give_back(daemon, LOSSES["moved"])
    is_caught = any("it spins" in what for what in found.wrong)
    tell_fault(Fault("F8", WHAT, 0, 0, control(is_caught=is_caught)))

    assert is_caught


# --- at the start ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loss", "code"),
    [("closed", 1), ("read-only", 1), ("a file", 78)],
)
async def test_a_directory_that_cannot_be_used_is_told_in_a_line_at_the_start(
    tmp_path: Path, loss: str, code: int, tell_fault: Tell
) -> None:
    found = Findings()
    async with open_session(tmp_path) as daemon:
        await daemon.kill()
        before = daemon.home.snapshot.read_bytes()
        written = len(daemon.log)
        begun = trio.current_time()
        LOSSES[loss].lose(daemon.home.state_dir, daemon.forks.pid)
        await daemon.launch()
        ended = await daemon.wait()
        LOSSES[loss].give_back(daemon.home.state_dir, daemon.forks.pid)
        lines = daemon.log[written:].splitlines()
        took = trio.current_time() - begun
        found.look(f"{ended} and {lines}", is_right=ended == code and len(lines) == 1)
        found.look("it isn't named", is_right=str(daemon.home.state_dir) in "".join(lines))
        found.look(f"it took {took} s", is_right=took < REFUSED_WITHIN_SECS)
        found.look("changed", is_right=daemon.home.snapshot.read_bytes() == before)
    tell_fault(Fault("F8", WHAT, 1, len(found.wrong)))

    assert found.wrong == []

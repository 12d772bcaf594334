"""One daemon per socket and per state directory, whatever an earlier one left behind."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from tests.daemons import Daemon, Ended, Home, make_home, open_daemon, run_daemon

STARTERS = 10


def modes(directory: Path) -> Iterator[tuple[Path, str]]:
    """Yield what a daemon has made, with its type and mode as `ls` shows them."""
    for path in (directory, *directory.rglob("*")):
        yield path, stat.filemode(path.lstat().st_mode)


async def test_of_ten_that_start_at_once_exactly_one_wins(tmp_path: Path) -> None:
    home = make_home(tmp_path)
    async with open_daemon(tmp_path, started=False) as first:
        daemons = [Daemon(home, first.command, tmp_path / f"{n}.log") for n in range(STARTERS)]
        try:
            for daemon in daemons:
                await daemon.launch()
            codes = [await code_of_loser(daemon) for daemon in daemons]
            winner = codes.index(None)

            assert codes == [None if number == winner else 1 for number in range(STARTERS)]
            info = await daemons[winner].request("info")
            assert info["pid"] == daemons[winner].pid
            for number in set(range(STARTERS)) - {winner}:
                (line,) = daemons[number].log.splitlines()
                assert line.startswith(f"antidriftd: already running: pid {info['pid']}, ")
                assert str(home.socket) in line
        finally:
            for daemon in daemons:
                await daemon.leave_nothing()


async def code_of_loser(daemon: Daemon) -> int | None:
    """Return the exit code, or None once the daemon serves."""
    with trio.fail_after(60):
        while True:
            if daemon.process and daemon.process.poll() is not None:
                return daemon.process.returncode
            if "listening" in daemon.log:
                return None
            await trio.sleep(0.02)


def inode_of(path: Path) -> int:
    return path.stat().st_ino


async def second(home: Home, *arguments: str) -> Ended:
    return await run_daemon(home, arguments)


async def test_a_second_one_leaves_the_first_alone_and_names_it(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon, daemon.connect() as client:
        await client.request("plan", intent="read")
        inode = inode_of(daemon.home.socket)
        elsewhere = str(tmp_path / "elsewhere")
        for arguments in ((), ("--socket", f"{elsewhere}/socket"), ("--state-dir", elsewhere)):
            ended = await second(daemon.home, *arguments)

            assert (ended.code, ended.stderr.count("\n")) == (1, 1)
            assert f"already running: pid {daemon.pid}" in ended.stderr
        assert inode_of(daemon.home.socket) == inode
        assert (await client.request("state"))["intent"] == "read"
        assert (await daemon.request("state"))["intent"] == "read"


async def test_one_with_another_socket_and_state_runs_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    async with open_daemon(tmp_path / "a") as one, open_daemon(tmp_path / "b") as other:
        await one.request("plan", intent="read")

        assert (await other.request("state"))["runtime"] == "idle"


async def test_what_a_killed_daemon_left_is_taken_over(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        for _ in range(5):
            await daemon.request("plan", intent="read")
            await daemon.kill()
            assert daemon.home.socket.is_socket()
            await daemon.start()

            assert (await daemon.request("info"))["pid"] == daemon.pid
            assert (await daemon.request("state"))["intent"] == "read"


async def test_a_lock_file_that_names_a_living_stranger_is_no_lock(tmp_path: Path) -> None:
    async with open_daemon(tmp_path, started=False) as daemon:
        for lock in locks(daemon.home):
            lock.parent.mkdir(mode=0o700, parents=True)
            lock.write_text(f"pid {os.getpid()}, socket {daemon.home.socket}\n")
        await daemon.start()

        assert (await daemon.request("info"))["pid"] == daemon.pid
        assert [lock.read_text().split(",")[0] for lock in locks(daemon.home)] == [
            f"pid {daemon.pid}"
        ] * 2


def locks(home: Home) -> list[Path]:
    return [home.state_dir / "lock", home.socket.with_name(home.socket.name + ".lock")]


async def test_a_program_it_started_does_not_keep_the_lock(tmp_path: Path) -> None:
    """The sensor's program outlives a killed daemon by a moment."""
    recording = tmp_path / "day.jsonl"
    recording.write_text('{"at": 0, "class": "code", "title": "main.py"}\n')
    async with open_daemon(tmp_path, sensor=f"replay:{recording}") as daemon:
        for _ in range(3):
            await daemon.wait_state(lambda state: "window" in state)
            await daemon.kill()
            await daemon.start()


@pytest.mark.parametrize("umask", ["000", "022", "077"])
async def test_what_it_makes_is_its_owners_alone_whatever_the_umask(
    tmp_path: Path, umask: str
) -> None:
    prefix = ("sh", "-c", f'umask {umask}; exec "$@"', "sh")
    async with open_daemon(tmp_path, prefix=prefix) as daemon:
        await daemon.request("plan", intent="read")
        # The parents that had to be made are as private.
        made = dict(modes(tmp_path / "home")) | dict(modes(daemon.home.socket.parent))

    assert set(made.values()) <= {"drwx------", "-rw-------", "srw-------"}
    assert made[daemon.home.socket] == "srw-------"
    assert made[daemon.home.snapshot] == "-rw-------"


async def test_without_a_runtime_dir_the_socket_is_in_the_state_dir(tmp_path: Path) -> None:
    env = {"XDG_RUNTIME_DIR": "", "XDG_STATE_HOME": str(tmp_path / "s")}
    async with open_daemon(tmp_path, env=env) as daemon:
        assert daemon.home.socket == daemon.home.state_dir / "run" / "antidrift.sock"
        assert (await daemon.request("info"))["socket"] == str(daemon.home.socket)


async def test_no_second_one_starts_on_a_snapshot_because_the_runtime_dir_is_missing(
    tmp_path: Path,
) -> None:
    """Over ssh, su or cron the variable is missing, and so another socket would be meant."""
    env = {"XDG_STATE_HOME": str(tmp_path / "s")}
    async with open_daemon(tmp_path, env=env) as daemon:
        ended = await second(make_home(tmp_path, env={**env, "XDG_RUNTIME_DIR": ""}))

        assert ended.code == 1
        assert f"already running: pid {daemon.pid}, socket {daemon.home.socket}" in ended.stderr


@pytest.mark.parametrize("display", [":0", ":0.0", ""])
async def test_the_display_does_not_choose_the_socket(tmp_path: Path, display: str) -> None:
    homes = [make_home(tmp_path, env={"DISPLAY": name}) for name in (":0", ":0.0", "", display)]

    assert len({home.socket for home in homes}) == 1


async def test_a_socket_path_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    directory = tmp_path / "long"
    directory.mkdir(mode=0o700)
    name = "x" * (107 - len(os.fsencode(directory)) - 1)
    async with open_daemon(tmp_path, env={"ANTIDRIFT_SOCKET": str(directory / name)}) as daemon:
        assert (await daemon.request("state"))["runtime"] == "idle"

    home = make_home(tmp_path)
    ended = await second(home, "--socket", str(directory / name) + "x")
    assert (ended.code, ended.stderr.count("\n")) == (78, 1)
    assert "108 bytes" in ended.stderr

"""One daemon per socket and per state directory, whatever an earlier one left behind."""

import os
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from tests.daemons import Daemon, Ended, Home, make_home, open_daemon, run_daemon
from tests.faults.findings import Findings
from tests.faults.folders import made
from tests.faults.forks import ForkedDaemon, Forks, open_forked, open_forks
from tests.faults.table import Fault, Tell, control

STARTERS = 30
ROUNDS = 3
"""The campaign has more."""
ENDED = sorted(["None", *["1"] * (STARTERS - 1)])
"""As what they ended, but for the one that goes on."""
AT_ONCE = "thirty daemons started at once"

PROBES = """
import io, socket, time
from antidriftd.rpc import listener
from antidriftd.runtime.ownership import AlreadyRunning

def probe(path, description):
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(os.environ["XDG_RUNTIME_DIR"] + "/antidrift/antidrift.sock")
        except OSError:
            time.sleep(1)
            return io.BytesIO()
    raise AlreadyRunning("already running: somebody")

bootstrap.hold_lock = listener.hold_lock = probe
"""
"""A daemon that holds no lock: it connects to see whether it is alone, and then takes its time."""


def modes(directory: Path) -> Iterator[tuple[Path, str]]:
    """Yield what a daemon has made, with its type and mode as `ls` shows them."""
    for path in (directory, *directory.rglob("*")):
        yield path, stat.filemode(path.lstat().st_mode)


async def start_at_once(forks: Forks, directory: Path, found: Findings) -> None:
    """Start many at once, as after a kill -9: one serves, and the others say which."""
    async with open_forked(forks, directory) as killed:
        home = killed.home
        await killed.kill()
    logs = [directory / f"{number}.log" for number in range(STARTERS)]
    daemons = [ForkedDaemon(home, (), log, forks=forks) for log in logs]
    try:
        for daemon in daemons:
            daemon.launch_stopped()
        for daemon in daemons:
            os.kill(daemon.pid, signal.SIGCONT)
        codes = [await code_of_loser(daemon) for daemon in daemons]
        winners = [daemon for daemon, code in zip(daemons, codes, strict=True) if code is None]
        found.look(f"they ended with {codes}", is_right=sorted(map(str, codes)) == ENDED)
        served = (await daemons[0].request("info"))["pid"]
        found.look(f"{served} serves", is_right=[daemon.pid for daemon in winners] == [served])
        for daemon in daemons:
            # The winner may not have written into its lock yet who it is.
            is_told = daemon.log.startswith("antidriftd: already running: ")
            is_told = is_told and daemon.log.count("\n") == 1
            found.look(daemon.log, is_right=is_told or daemon in winners)
    finally:
        for daemon in daemons:
            await daemon.leave_nothing()
    found.runs += 1


async def start_in_rounds(forks: Forks, directory: Path, rounds: int) -> Findings:
    """Start many at once, again and again."""
    found = Findings()
    for number in range(rounds):
        await start_at_once(forks, made(directory, number), found)
    return found


@pytest.mark.timeout(600)
async def test_of_thirty_that_start_at_once_exactly_one_wins(
    tmp_path: Path, forks: Forks, tell_fault: Tell
) -> None:
    found = await start_in_rounds(forks, tmp_path, ROUNDS)
    tell_fault(Fault("F12", AT_ONCE, found.runs, len(found.wrong)))

    assert found.wrong == []


async def test_daemons_that_ask_whether_one_is_there_are_caught(
    tmp_path: Path, tell_fault: Tell
) -> None:
    with open_forks(PROBES) as forks:
        found = await start_in_rounds(forks, tmp_path, 1)
    is_caught = found.wrong != []
    tell_fault(Fault("F12", AT_ONCE, 0, 0, control(is_caught=is_caught)))

    assert is_caught


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


@pytest.mark.fault("F13", "what a killed one left: socket, lock, temporary file")
async def test_what_a_killed_daemon_left_is_taken_over(tmp_path: Path, forks: Forks) -> None:
    async with open_forked(forks, tmp_path) as daemon:
        for _ in range(5):
            await daemon.request("plan", intent="read")
            await daemon.kill()
            assert daemon.home.socket.is_socket()
            await daemon.start()

            assert (await daemon.request("info"))["pid"] == daemon.pid
            assert (await daemon.request("state"))["intent"] == "read"


@pytest.mark.fault("F13", "what a killed one left: socket, lock, temporary file")
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


@pytest.mark.fault("F13", "what a killed one left: socket, lock, temporary file")
async def test_a_program_it_started_does_not_keep_the_lock(tmp_path: Path, forks: Forks) -> None:
    """The sensor's program outlives a killed daemon by a moment."""
    recording = tmp_path / "day.jsonl"
    recording.write_text('{"at": 0, "class": "code", "title": "main.py"}\n')
    async with open_forked(forks, tmp_path, sensor=f"replay:{recording}") as daemon:
        for _ in range(3):
            await daemon.wait_state(lambda state: "window" in state)
            await daemon.kill()
            await daemon.start()


@pytest.mark.parametrize("umask", ["000", "022", "077"])
@pytest.mark.fault("T5", "another user reads the state")
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


@pytest.mark.parametrize(("length", "code"), [(106, 0), (107, 0), (108, 78), (200, 78)])
async def test_a_socket_path_may_be_as_long_as_the_system_allows(
    tmp_path: Path, tell_fault: Tell, length: int, code: int
) -> None:
    directory = tmp_path / "long"
    directory.mkdir(mode=0o700)
    path = directory / ("x" * (length - len(os.fsencode(directory)) - 1))
    found = Findings()
    client = [sys.executable, "-m", "antidrift_cli", "status"]
    env = {"ANTIDRIFT_SOCKET": str(path)}
    if code:
        home = make_home(tmp_path, env=env)
        ended = await second(home)
        is_told = ended.stderr.count("\n") == 1 and f"{length} bytes" in ended.stderr
        found.look(f"it says {ended}", is_right=ended.code == code and is_told)
        asked = await trio.run_process(
            client, env=dict(home.environ), check=False, capture_stderr=True
        )
        said = asked.stderr.decode()
        is_told = said.count("\n") == 1 and f"{length} bytes" in said
        found.look(f"the client says {said}", is_right=asked.returncode != 0 and is_told)
    else:
        async with open_daemon(tmp_path, env=env) as daemon:
            environ = dict(daemon.home.environ)
            asked = await trio.run_process(client, env=environ, capture_stdout=True)
            found.look("the client isn't served", is_right=asked.stdout != b"")
            found.look("it doesn't stop", is_right=await daemon.terminate() == code)
    tell_fault(Fault("F14", "a long socket path", 1, len(found.wrong)))

    assert found.wrong == []

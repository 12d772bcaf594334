"""Socket activation: a socket that a service manager opened is served, and left to it."""

import os
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.daemons import PROGRAM, make_home, open_daemon

_PASSED = ("HOME", "XDG_RUNTIME_DIR", "ANTIDRIFT_SENSOR", "ANTIDRIFT_AI_BACKEND", "PYTHONPATH")


def activate(path: Path) -> Sequence[str]:
    """Return the command that listens at `path`, and becomes a program once somebody connects."""
    variables = [word for name in _PASSED for word in ("-E", name)]
    return ["systemd-socket-activate", "-l", str(path), *variables]


def private_socket(home: Path) -> Path:
    path = make_home(home).socket
    path.parent.mkdir(mode=0o700)
    return path


async def test_the_socket_is_served_and_stays_when_the_daemon_ends(tmp_path: Path) -> None:
    path = private_socket(tmp_path)
    async with open_daemon(tmp_path, prefix=activate(path)) as daemon:
        state = await daemon.request("state")
        inode = path.stat().st_ino
        code = await daemon.terminate()

    assert state["runtime"] == "idle"
    assert path.stat().st_mode & 0o777 == 0o600
    assert (code, path.stat().st_ino) == (0, inode)


async def test_it_is_not_handed_on_to_programs_that_the_daemon_starts(tmp_path: Path) -> None:
    path = private_socket(tmp_path)
    said = tmp_path / "said"
    judge = tmp_path / "judge"
    judge.write_text(
        f"#!/bin/sh\nls -l /proc/self/fd > {said}.new; env >> {said}.new; mv {said}.new {said}\n"
    )
    judge.chmod(0o755)
    config = f'[ai]\nbackend = "command"\ncommand = "{judge}"\n'
    async with open_daemon(tmp_path, ai="", config=config, prefix=activate(path)) as daemon:
        await daemon.request("coach", intent="read")
        await daemon.wait_state(lambda state: state["coach"]["status"] == "error")

    assert said.exists()
    assert "LISTEN_" not in said.read_text()
    assert said.read_text().count("socket:") == 0


def run_with(sock: socket.socket, home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the daemon with `sock` as descriptor 3, as systemd would."""
    shell = f'exec 3<&{sock.fileno()}; LISTEN_PID=$$ LISTEN_FDS=${{FDS:-1}} exec "$@"'
    return subprocess.run(
        ["bash", "-c", shell, "bash", *PROGRAM],
        env={**make_home(home).environ, **variables},
        pass_fds=[sock.fileno()],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("kind", "listens", "says"),
    [
        (socket.SOCK_DGRAM, False, "something else than a Unix stream socket"),
        (socket.SOCK_STREAM, False, "a socket that doesn't listen"),
        (socket.SOCK_STREAM, True, "clients look for"),
    ],
)
def test_one_that_is_none_of_ours_is_refused_in_a_line(
    tmp_path: Path, kind: socket.SocketKind, listens: bool, says: str
) -> None:
    with socket.socket(socket.AF_UNIX, kind) as sock:
        sock.bind(str(tmp_path / "elsewhere"))
        if listens:
            sock.listen()
        done = run_with(sock, tmp_path)

    assert done.returncode == 78
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_several_are_refused(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        done = run_with(sock, tmp_path, FDS="2")

    assert (done.returncode, "2 sockets where one is served" in done.stderr) == (78, True)


async def test_what_was_meant_for_another_process_is_left_alone(tmp_path: Path) -> None:
    foreign = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
    async with open_daemon(tmp_path, env=foreign) as daemon:
        assert (await daemon.request("state"))["runtime"] == "idle"

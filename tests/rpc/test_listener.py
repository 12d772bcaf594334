"""Who may connect, how many, and what lies at the socket's path before and after."""

import json
import os
import socket
import stat
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from antidriftd.rpc.listener import open_socket
from antidriftd.runtime.ownership import AlreadyRunning, UnsafePath
from tests import other_user
from tests.clients import Refused
from tests.daemons import open_daemon
from tests.faults.broken import broken_program
from tests.rpc.served import open_served

PLAN = b'{"jsonrpc":"2.0","id":1,"method":"plan"}\n'


def bind(path: Path) -> None:
    """Leave a socket that nobody listens to."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.bind(os.fspath(path))


# --- the socket's path -----------------------------------------------------------------------


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_the_socket_is_its_owners_alone(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "run" / "socket"
    before = os.umask(umask)
    try:
        with open_socket(path):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    finally:
        os.umask(before)


def test_the_socket_is_removed_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "run" / "socket"
    with open_socket(path):
        assert path.is_socket()

    assert not path.exists()


def test_a_socket_that_a_dead_daemon_left_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    tmp_path.chmod(0o700)
    bind(path)
    with open_socket(path), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(os.fspath(path))


def test_the_socket_of_a_living_daemon_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "run" / "socket"
    with open_socket(path):
        inode = path.stat().st_ino
        with pytest.raises(AlreadyRunning, match=f"pid {os.getpid()}"), open_socket(path):
            pass

        assert path.stat().st_ino == inode


def test_a_socket_that_took_our_place_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "run" / "socket"
    with open_socket(path):
        path.unlink()
        bind(path)

    assert path.is_socket()


def test_a_socket_that_somebody_removed_is_not_missed(tmp_path: Path) -> None:
    path = tmp_path / "run" / "socket"
    with open_socket(path):
        path.unlink()


def test_what_is_no_socket_is_not_replaced(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "socket"
    path.write_text("precious")
    with pytest.raises(UnsafePath, match="in the way"), open_socket(path):
        pass

    assert path.read_text() == "precious"


# --- who is served ---------------------------------------------------------------------------


@pytest.mark.fault("T1", "another user connects", runs=100)
async def test_another_user_is_refused_even_where_the_modes_would_let_them() -> None:
    with other_user.open_public_directory() as directory:
        async with open_daemon(directory) as daemon:
            path = daemon.home.socket
            (directory / "run").chmod(0o755)
            path.parent.chmod(0o755)
            path.chmod(0o666)
            for _ in range(100):
                client = other_user.run_as_other(["socat", "-t5", "-", f"UNIX:{path}"], PLAN)
                assert client.stdout == b""

            assert "a client of user 65534 was turned away" in daemon.log
            assert (await daemon.request("state"))["runtime"] == "idle"


@pytest.mark.fault("T1", "another user connects", is_control=True)
async def test_where_nobody_looks_who_it_is_another_user_is_served() -> None:
    """The control: modes that let others in, and a daemon that serves anybody."""
    anybody = "from antidriftd.rpc import listener\nlistener._is_ours = lambda client: True"
    with other_user.open_public_directory() as directory:
        async with open_daemon(directory, program=broken_program(anybody)) as daemon:
            path = daemon.home.socket
            (directory / "run").chmod(0o755)
            path.parent.chmod(0o755)
            path.chmod(0o666)
            client = other_user.run_as_other(["socat", "-t5", "-", f"UNIX:{path}"], PLAN)

            assert b"planning" in client.stdout


@pytest.mark.fault("T1", "another user connects")
async def test_another_user_cannot_even_reach_the_socket() -> None:
    with other_user.open_public_directory() as directory:
        async with open_daemon(directory) as daemon:
            (directory / "run").chmod(0o755)  # as /run/user is
            command = ["socat", "-t5", "-", f"UNIX:{daemon.home.socket}"]
            client = other_user.run_as_other(command, PLAN)

            assert b"Permission denied" in client.stderr
            assert "turned away" not in daemon.log


# --- how many --------------------------------------------------------------------------------


async def test_the_65th_client_is_told_so_and_closed(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(served.connect()) for _ in range(64)]
            await wait_all_tasks_blocked()
            for _ in range(10):
                async with served.connect() as one_more:
                    (line,) = (await one_more.receive_rest()).splitlines()
                    reply = json.loads(line)
                    assert (reply["id"], reply["error"]["code"]) == (None, -32005)
                    assert reply["error"]["data"] == {"kind": "too_busy", "runtime": "idle"}
            for client in clients:
                assert (await client.request("state"))["runtime"] == "idle"
        await wait_all_tasks_blocked()

        assert (await served.request("state"))["runtime"] == "idle"


async def test_one_that_asks_before_it_reads_is_told_too(tmp_path: Path) -> None:
    async with open_served(tmp_path, connections=1) as served, served.connect() as first:
        await first.request("state")
        async with served.connect() as second:
            with pytest.raises(Refused) as refused:
                await second.request("state")

    assert refused.value.kind == "too_busy"


async def test_a_place_is_free_again_however_its_client_went(tmp_path: Path) -> None:
    async with open_served(tmp_path, connections=1) as served:
        for farewell in (b"", b"{", b"x" * 70_000, PLAN, b"\xff\n"):
            async with served.connect() as client:
                await client.send(farewell)
            await wait_all_tasks_blocked()

            assert (await served.request("state"))["sensor"]["name"] == "fake"
            await wait_all_tasks_blocked()


async def test_a_crowd_of_clients_is_served_or_told(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        outcomes: list[str] = []

        async def ask() -> None:
            try:
                await daemon.request("state")
            except Refused as refused:
                outcomes.append(refused.kind)
            else:
                outcomes.append("served")

        async with trio.open_nursery() as nursery:
            for _ in range(1000):
                nursery.start_soon(ask)

        assert outcomes.count("served") >= 64
        assert set(outcomes) <= {"served", "too_busy"}
        await trio.sleep(0.1)
        assert (await daemon.request("state"))["runtime"] == "idle"

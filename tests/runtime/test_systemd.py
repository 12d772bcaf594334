"""What a service manager hears over its socket (sd_notify(3))."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from antidriftd.runtime.systemd import ServiceManager
from tests.daemons import open_daemon
from tests.runtime.engine_room import open_engine


class Notifications:
    """A manager's end of the notification socket."""

    def __init__(self, address: str | bytes) -> None:
        self._sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._sock.bind(address)
        self._sock.setblocking(False)

    def take(self) -> list[str]:
        """Return what has come since the last time."""
        messages = []
        while True:
            try:
                messages.append(self._sock.recv(4096).decode())
            except BlockingIOError:
                return messages

    async def wait(self) -> str:
        """Return the next message."""
        with trio.fail_after(30):
            await trio.lowlevel.wait_readable(self._sock)
        return self._sock.recv(4096).decode()

    def close(self) -> None:
        self._sock.close()


@pytest.fixture
def notifications(tmp_path: Path) -> Iterator[Notifications]:
    manager = Notifications(str(tmp_path / "notify"))
    yield manager
    manager.close()


def environ(tmp_path: Path, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": str(tmp_path / "notify"), **more}


def test_assignments_arrive_in_one_message(tmp_path: Path, notifications: Notifications) -> None:
    ServiceManager(environ(tmp_path)).tell("READY=1", "STATUS=well")

    assert notifications.take() == ["READY=1\nSTATUS=well"]


def test_an_abstract_address_is_understood() -> None:
    name = f"antidrift-test-{os.getpid()}"
    manager = Notifications(b"\0" + name.encode())

    ServiceManager({"NOTIFY_SOCKET": f"@{name}"}).tell("READY=1")

    assert manager.take() == ["READY=1"]
    manager.close()


@pytest.mark.parametrize("address", ["", "/nowhere/notify", "vsock:2:1", "@", "relative"])
def test_without_a_manager_that_listens_telling_does_nothing(address: str) -> None:
    ServiceManager({"NOTIFY_SOCKET": address}).tell("READY=1")


async def test_the_watchdog_is_fed_well_within_its_limit(
    autojump_clock: MockClock, tmp_path: Path, notifications: Notifications
) -> None:
    manager = ServiceManager(environ(tmp_path, WATCHDOG_USEC="30000000"))
    async with open_engine() as room:
        room.nursery.start_soon(manager.keep_alive, room.engine)
        await trio.sleep(95)

    assert notifications.take() == ["WATCHDOG=1"] * 9


async def test_the_watchdog_is_not_fed_when_the_engine_fails(
    autojump_clock: MockClock, tmp_path: Path, notifications: Notifications
) -> None:
    """What feeds it has to go through the engine."""
    manager = ServiceManager(environ(tmp_path, WATCHDOG_USEC="30000000"))
    with pytest.RaisesGroup(pytest.RaisesExc(RuntimeError), flatten_subgroups=True):
        async with open_engine() as room:
            room.nursery.start_soon(manager.keep_alive, room.engine)
            await trio.sleep(15)
            room.clock.broken = True
            await trio.sleep(100)

    assert notifications.take() == ["WATCHDOG=1"]


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"WATCHDOG_USEC": ""},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "²"},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"},
    ],
)
async def test_a_watchdog_that_is_not_ours_is_not_fed(
    autojump_clock: MockClock,
    tmp_path: Path,
    notifications: Notifications,
    variables: dict[str, str],
) -> None:
    manager = ServiceManager(environ(tmp_path, **variables))
    async with open_engine() as room:
        room.nursery.start_soon(manager.keep_alive, room.engine)
        await trio.sleep(100)

    assert notifications.take() == []


async def test_it_is_ready_when_it_answers_and_tells_when_it_stops(
    tmp_path: Path, notifications: Notifications
) -> None:
    more = environ(tmp_path, WATCHDOG_USEC="300000")
    async with open_daemon(tmp_path, env=more, started=False) as daemon:
        for _ in range(5):
            await daemon.launch()
            assert await notifications.wait() == "READY=1"
            # No waiting and no second try: it said that it is ready.
            await daemon.request("state")
            assert await notifications.wait() == "WATCHDOG=1"
            assert await daemon.terminate() == 0
            assert [told for told in notifications.take() if told != "WATCHDOG=1"] == ["STOPPING=1"]

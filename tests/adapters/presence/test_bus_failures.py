"""A bus that is missing, refuses, dies or hangs costs one line in the log, and is tried again."""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf

import pytest
import trio
import trio.testing

from antidriftd.adapters.presence.desktop import _keep_listening
from antidriftd.dbus.addresses import BusKind
from antidriftd.dbus.bus import Bus, Signal
from tests.adapters.presence.watched import open_watcher
from tests.fakes.logind import FakeLogind, Machine, open_logind
from tests.fakes.screen_saver import open_screen_saver
from tests.processes import open_files
from tests.session_bus import SessionBus
from tests.waiting import wait_until

GNOME = "org.gnome.ScreenSaver"


@pytest.fixture(autouse=True)
def _log_all(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    messages = [record.getMessage() for record in caplog.records]
    assert all("\n" not in message for message in messages)
    return [message for message in messages if "will be noticed" in message]


async def wait_complaint(caplog: pytest.LogCaptureFixture, count: int = 1) -> str:
    await wait_until(lambda: len(complaints(caplog)) >= count)
    return complaints(caplog)[-1]


@dataclass
class Losses:
    """A source that keeps when it was lost."""

    name = "org.example.Source"
    rules = ()
    moments: list[float] = field(default_factory=list)

    async def ask(self, bus: Bus, owner: str) -> None:
        raise AssertionError("nobody is there to be asked")

    def hear(self, signal: Signal) -> bool:
        raise AssertionError("nobody is there to be heard")

    def lose(self) -> None:
        self.moments.append(trio.current_time())


@pytest.mark.parametrize("address", ["", "nonsense", "tcp:host=localhost,port=1"])
@pytest.mark.parametrize(
    ("kind", "variable"),
    [("system", "DBUS_SYSTEM_BUS_ADDRESS"), ("session", "DBUS_SESSION_BUS_ADDRESS")],
)
async def test_a_bus_that_nobody_could_find_is_not_looked_for(
    autojump_clock: trio.testing.MockClock,
    caplog: pytest.LogCaptureFixture,
    address: str,
    kind: BusKind,
    variable: str,
) -> None:
    with trio.move_on_after(24 * 3600) as day:
        await _keep_listening(kind, address, [Losses()])

    assert day.cancelled_caught

    (complaint,) = complaints(caplog)
    assert variable in complaint


async def test_a_bus_that_is_not_there_is_tried_less_and_less_down_to_once_a_minute(
    autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    losses = Losses()
    with trio.move_on_after(300):
        await _keep_listening("system", "unix:path=/no/such/socket", [losses])

    waits = [after - before for before, after in pairwise(losses.moments)]
    assert waits == pytest.approx([0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60])
    assert len(complaints(caplog)) == 1


async def test_buses_that_come_later_are_used(
    system_bus: SessionBus, session_bus: SessionBus, caplog: pytest.LogCaptureFixture
) -> None:
    await system_bus.kill()
    await session_bus.kill()
    async with open_watcher(system_bus.address, session_bus.address) as sink:
        await wait_complaint(caplog, 2)
        await system_bus.start()
        await session_bus.start()
        async with open_logind(system_bus.address, Machine(is_preparing_for_sleep=True)):
            await wait_until(lambda: sink.is_asleep)
        async with open_screen_saver(session_bus.address, GNOME, active=True):
            await wait_until(lambda: sink.is_locked)

    assert len(complaints(caplog)) == 2


async def test_a_bus_that_dies_again_and_again_is_used_whenever_it_is_back(
    system_bus: SessionBus, caplog: pytest.LogCaptureFixture
) -> None:
    machine = Machine(sessions={"2": True}, is_preparing_for_sleep=True)
    files: set[int] = set()
    expected: list[str] = []
    async with open_watcher(system_bus.address) as sink:
        for _ in range(5):
            async with open_logind(system_bus.address, machine):
                expected += ["locked", "asleep"]
                await sink.wait_told(*expected)
                files.add(open_files(os.getpid()))
                await system_bus.kill()
                expected += ["open", "awake"]
                await sink.wait_told(*expected)
            await system_bus.start()

    assert len(files) == 1
    # Once for each death, and once for the session bus.
    assert len(complaints(caplog)) == 5 + 1


async def test_a_bus_that_hangs_is_given_up_and_used_once_it_runs(
    system_bus: SessionBus, logind: FakeLogind, caplog: pytest.LogCaptureFixture
) -> None:
    before = open_files(os.getpid())
    system_bus.freeze()
    async with open_watcher(system_bus.address) as sink:
        await wait_complaint(caplog, 2)
        assert "the system bus did not answer within 2 seconds" in caplog.text
        assert open_files(os.getpid()) == before
        system_bus.thaw()
        await logind.program.wait_asked("PreparingForSleep")
        await logind.lock()
        await sink.wait_told("locked")


async def test_a_bus_that_hangs_for_a_while_loses_nothing(
    system_bus: SessionBus, logind: FakeLogind
) -> None:
    async with open_watcher(system_bus.address) as sink:
        await logind.program.wait_asked("PreparingForSleep")
        system_bus.freeze()
        await logind.lock()
        await logind.sleep()
        system_bus.thaw()
        await sink.wait_told("locked", "asleep")


async def test_something_else_at_the_address_is_no_bus(
    tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    async def hang_up(stream: trio.SocketStream) -> None:
        await stream.aclose()

    path = str(tmp_path_factory.getbasetemp() / "no-bus.sock")
    with trio.socket.socket(trio.socket.AF_UNIX) as listening:
        await listening.bind(path)
        listening.listen()
        async with trio.open_nursery() as nursery, open_watcher(f"unix:path={path}"):
            nursery.start_soon(trio.serve_listeners, hang_up, [trio.SocketListener(listening)])
            await wait_complaint(caplog, 2)
            nursery.cancel_scope.cancel()

    assert "the connection to the system bus is lost" in caplog.text


async def test_there_is_one_connection_to_each_bus(
    system_bus: SessionBus, session_bus: SessionBus, logind: FakeLogind
) -> None:
    async with open_screen_saver(session_bus.address, GNOME) as saver:
        before = open_files(os.getpid())
        async with open_watcher(system_bus.address, session_bus.address):
            await logind.program.wait_asked("PreparingForSleep")
            await saver.program.wait_asked("GetActive")
            assert open_files(os.getpid()) == before + 2
        assert open_files(os.getpid()) == before


async def test_nothing_wakes_the_watcher_up_while_nothing_changes(
    system_bus: SessionBus, session_bus: SessionBus, logind: FakeLogind
) -> None:
    async with open_watcher(system_bus.address, session_bus.address):
        await logind.program.wait_asked("PreparingForSleep")
        async with open_screen_saver(session_bus.address, GNOME) as saver:
            await saver.program.wait_asked("GetActive")
            await trio.testing.wait_all_tasks_blocked(0.05)
            assert trio.lowlevel.current_statistics().seconds_to_next_deadline == inf


def test_a_start_does_not_wait_for_jeepney() -> None:
    code = (
        "import sys, antidriftd.bootstrap, antidriftd.adapters.presence.desktop; "
        "sys.exit('jeepney' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

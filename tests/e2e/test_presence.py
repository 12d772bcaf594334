"""A locked screen and a sleeping machine are absences, from the first second to the last."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.daemons import Daemon, State, open_daemon
from tests.fakes.logind import FakeLogind, open_logind
from tests.fakes.screen_saver import FakeScreenSaver, open_screen_saver
from tests.session_bus import open_bus


class Desktop:
    """What a person does to it, by name."""

    def __init__(self, daemon: Daemon, logind: FakeLogind, saver: FakeScreenSaver) -> None:
        self.daemon = daemon
        self.logind = logind
        self.saver = saver

    @property
    def leaving(self) -> dict[str, Callable[[bool], Awaitable[None]]]:
        """Ways to leave and, with False, to come back."""
        return {
            "locks the session": self.logind.lock,
            "starts the screen saver": self.saver.turn,
            "closes the lid": self.logind.sleep,
        }


@asynccontextmanager
async def open_desktop(directory: Path) -> AsyncIterator[Desktop]:
    async with (
        open_bus() as system_bus,
        open_bus() as session_bus,
        open_logind(system_bus.address) as logind,
        open_screen_saver(session_bus.address, "org.gnome.ScreenSaver") as saver,
        open_daemon(
            directory,
            env={
                "DBUS_SYSTEM_BUS_ADDRESS": system_bus.address,
                "DBUS_SESSION_BUS_ADDRESS": session_bus.address,
            },
        ) as daemon,
    ):
        await daemon.request("start", next_action="write the report", timebox_secs=1500)
        await logind.program.wait_asked("PreparingForSleep")
        await saver.program.wait_asked("GetActive")
        yield Desktop(daemon, logind, saver)


def away(state: State) -> str:
    """Return why the person is away; empty when they aren't."""
    return str((state.get("away") or {}).get("reason", ""))


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("locks the session", "locked"),
        ("starts the screen saver", "locked"),
        ("closes the lid", "asleep"),
    ],
)
async def test_who_leaves_is_away_until_the_return_which_shows_the_absence(
    tmp_path: Path, way: str, reason: str
) -> None:
    async with open_desktop(tmp_path) as desktop:
        before = await desktop.daemon.request("state")
        await desktop.leaving[way](True)
        gone = await desktop.daemon.wait_state(lambda state: away(state) == reason)
        await desktop.leaving[way](False)
        back = await desktop.daemon.wait_state(lambda state: not away(state))

    assert not away(before)
    assert gone["runtime"] == back["runtime"] == "active"
    assert back["absence"]["reason"] == reason
    assert back["absence"]["since"] == gone["away"]["since"]


async def test_a_daemon_without_buses_says_so_once_and_goes_on(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        await daemon.wait_log("no active screen saver will be noticed")
        await daemon.wait_log("neither sleep nor a session that is locked will be noticed")
        await daemon.request("start", next_action="write the report", timebox_secs=1500)
        assert not away(await daemon.request("state"))
        assert daemon.log.count("will be noticed") == 2


async def test_a_bus_that_dies_while_the_screen_is_locked_ends_the_absence(
    tmp_path: Path,
) -> None:
    async with (
        open_bus() as bus,
        open_logind(bus.address) as logind,
        open_daemon(tmp_path, env={"DBUS_SYSTEM_BUS_ADDRESS": bus.address}) as daemon,
    ):
        await daemon.request("start", next_action="write the report", timebox_secs=1500)
        await logind.program.wait_asked("PreparingForSleep")
        await logind.lock()
        await daemon.wait_state(lambda state: away(state) == "locked")
        await bus.kill()
        await daemon.wait_state(lambda state: not away(state))
        assert "Traceback" not in daemon.log

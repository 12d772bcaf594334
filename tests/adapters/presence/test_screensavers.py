"""Active screen savers are told of, whichever there are."""

import pytest

from antidriftd.adapters.presence.screensavers import SCREEN_SAVERS
from tests.adapters.presence.watched import open_watcher
from tests.fakes.bus_program import Mood, open_program
from tests.fakes.logind import FakeLogind
from tests.fakes.screen_saver import open_screen_saver, path_of
from tests.session_bus import SessionBus

GNOME = "org.gnome.ScreenSaver"
KDE = "org.freedesktop.ScreenSaver"


@pytest.mark.parametrize("name", SCREEN_SAVERS)
async def test_an_active_screen_saver_is_told_of_and_one_that_goes(
    session_bus: SessionBus, name: str
) -> None:
    async with (
        open_screen_saver(session_bus.address, name) as saver,
        open_watcher("", session_bus.address) as sink,
    ):
        await saver.program.wait_asked("GetActive")
        await saver.turn(True)
        await sink.wait_told("locked")
        await saver.turn(False)
        await sink.wait_told("locked", "open")


@pytest.mark.parametrize("path", [path_of("org.mate.ScreenSaver"), "/"])
async def test_one_that_is_active_already_is_found_so_at_either_place(
    session_bus: SessionBus, path: str
) -> None:
    async with (
        open_screen_saver(session_bus.address, "org.mate.ScreenSaver", active=True, path=path),
        open_watcher("", session_bus.address) as sink,
    ):
        await sink.wait_told("locked")


async def test_the_screen_is_open_once_nobody_says_that_it_is_locked(
    system_bus: SessionBus, session_bus: SessionBus, logind: FakeLogind
) -> None:
    async with (
        open_screen_saver(session_bus.address, GNOME) as gnome,
        open_screen_saver(session_bus.address, KDE) as kde,
        open_watcher(system_bus.address, session_bus.address) as sink,
    ):
        for program in (gnome.program, kde.program):
            await program.wait_asked("GetActive")
        await logind.program.wait_asked("PreparingForSleep")
        await gnome.turn(True)
        await sink.wait_told("locked")
        await logind.lock()
        await kde.turn(True)
        await gnome.turn(False)
        await logind.lock(False)
        await logind.sleep()
        await sink.wait_told("locked", "asleep")
        await kde.turn(False)
        await sink.wait_told("locked", "asleep", "open")


async def test_one_that_comes_later_or_anew_is_asked_and_one_that_ends_locks_nothing(
    session_bus: SessionBus,
) -> None:
    expected: list[str] = []
    async with open_watcher("", session_bus.address) as sink:
        for _ in range(3):
            async with open_screen_saver(session_bus.address, GNOME, active=True):
                expected.append("locked")
                await sink.wait_told(*expected)
            expected.append("open")
            await sink.wait_told(*expected)


async def test_only_a_screen_saver_itself_is_believed(session_bus: SessionBus) -> None:
    async with (
        open_screen_saver(session_bus.address, GNOME) as saver,
        open_program(session_bus.address, "org.example.Player", lambda _: None) as stranger,
        open_watcher("", session_bus.address) as sink,
    ):
        watcher = (await saver.program.wait_asked("GetActive")).client
        for destination in ("", watcher):
            await stranger.signal(
                path_of(GNOME), GNOME, "ActiveChanged", "b", True, destination=destination
            )
        async with open_screen_saver(session_bus.address, KDE) as kde:
            await kde.program.wait_asked("GetActive")
            assert not sink.is_locked


@pytest.mark.parametrize(("signature", "body"), [("s", ("yes",)), ("", ()), ("bb", (True, True))])
async def test_a_signal_of_the_wrong_shape_is_ignored(
    session_bus: SessionBus, signature: str, body: tuple[object, ...]
) -> None:
    async with (
        open_screen_saver(session_bus.address, GNOME, active=True) as saver,
        open_watcher("", session_bus.address) as sink,
    ):
        await sink.wait_told("locked")
        await saver.program.signal(saver.path, GNOME, "ActiveChanged", signature, *body)
        await saver.turn(False)
        await sink.wait_told("locked", "open")


@pytest.mark.parametrize("mood", ["silent", "refusing", "confused"])
async def test_one_that_does_not_say_how_it_is_does_not_keep_the_others_from_being_heard(
    session_bus: SessionBus, mood: Mood
) -> None:
    async with (
        open_screen_saver(session_bus.address, KDE, active=True) as strange,
        open_screen_saver(session_bus.address, GNOME, active=True),
    ):
        strange.program.mood = mood
        async with open_watcher("", session_bus.address) as sink:
            await sink.wait_told("locked")
            assert strange.program.asked
            await strange.turn(True)

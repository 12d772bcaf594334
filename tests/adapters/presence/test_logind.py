"""What logind tells is passed on, from the session that is the user's own."""

import pytest

from tests.adapters.presence.watched import open_watcher
from tests.fakes.bus_program import Mood, open_program
from tests.fakes.logind import (
    MANAGER,
    PATH,
    PROPERTIES,
    SESSION,
    FakeLogind,
    Machine,
    open_logind,
    session_path,
)
from tests.session_bus import SessionBus

LAST_QUESTION = "PreparingForSleep"


async def test_a_locked_session_is_told_of_and_an_unlocked_one(
    system_bus: SessionBus, logind: FakeLogind
) -> None:
    async with open_watcher(system_bus.address) as sink:
        await logind.program.wait_asked(LAST_QUESTION)
        await logind.lock()
        await sink.wait_told("locked")
        await logind.lock(False)
        await sink.wait_told("locked", "open")


async def test_a_session_that_is_locked_already_is_found_so(system_bus: SessionBus) -> None:
    async with (
        open_logind(system_bus.address, Machine(sessions={"2": True})),
        open_watcher(system_bus.address) as sink,
    ):
        await sink.wait_told("locked")


async def test_a_change_that_says_no_value_is_looked_up(
    system_bus: SessionBus, logind: FakeLogind
) -> None:
    async with open_watcher(system_bus.address) as sink:
        await logind.program.wait_asked(LAST_QUESTION)
        await logind.lock_without_saying()
        await sink.wait_told("locked")
        await logind.lock_without_saying(False)
        await sink.wait_told("locked", "open")


async def test_sleep_and_waking_up_are_told(system_bus: SessionBus, logind: FakeLogind) -> None:
    async with open_watcher(system_bus.address) as sink:
        await logind.program.wait_asked(LAST_QUESTION)
        await logind.sleep()
        await sink.wait_told("asleep")
        await logind.sleep(False)
        await sink.wait_told("asleep", "awake")


async def test_a_machine_that_is_about_to_sleep_already_is_found_so(
    system_bus: SessionBus,
) -> None:
    async with (
        open_logind(system_bus.address, Machine(is_preparing_for_sleep=True)),
        open_watcher(system_bus.address) as sink,
    ):
        await sink.wait_told("asleep")


@pytest.mark.parametrize(
    ("session_id", "session_of_callers", "display", "ours"),
    [
        ("5", "6", "2", "5"),
        ("", "6", "2", "6"),
        ("", "", "2", "2"),
        ("from a session of yesterday", "6", "2", "6"),
        ("from a session of yesterday", "", "2", "2"),
    ],
)
async def test_the_session_is_the_one_named_or_our_own_or_the_users_desktop(
    system_bus: SessionBus, session_id: str, session_of_callers: str, display: str, ours: str
) -> None:
    machine = Machine(
        sessions={"2": False, "5": False, "6": False},
        session_of_callers=session_of_callers,
        display=display,
    )
    async with (
        open_logind(system_bus.address, machine) as logind,
        open_watcher(system_bus.address, session_id=session_id) as sink,
    ):
        await logind.program.wait_asked(LAST_QUESTION)
        for other in {"2", "5", "6"} - {ours}:
            await logind.lock(session_id=other)
        await logind.sleep()
        await sink.wait_told("asleep")
        await logind.lock(session_id=ours)
        await sink.wait_told("asleep", "locked")


async def test_a_desktop_that_begins_later_is_watched_from_then_on(
    system_bus: SessionBus,
) -> None:
    async with (
        open_logind(system_bus.address, Machine(sessions={}, display="")) as logind,
        open_watcher(system_bus.address) as sink,
    ):
        await logind.program.wait_asked(LAST_QUESTION)
        await logind.add_session("7")
        await logind.program.wait_asked(LAST_QUESTION, count=2)
        await logind.lock(session_id="7")
        await sink.wait_told("locked")


async def test_a_locked_session_that_ends_locks_nothing_any_more(
    system_bus: SessionBus, logind: FakeLogind
) -> None:
    async with open_watcher(system_bus.address) as sink:
        await logind.program.wait_asked(LAST_QUESTION)
        await logind.lock()
        await logind.remove_session("2")
        await sink.wait_told("locked", "open")


async def test_only_logind_itself_is_believed(system_bus: SessionBus, logind: FakeLogind) -> None:
    async with (
        open_watcher(system_bus.address) as sink,
        open_program(system_bus.address, "", lambda _: None) as stranger,
    ):
        watcher = (await logind.program.wait_asked(LAST_QUESTION)).client
        for destination in ("", watcher):
            await stranger.signal(
                PATH, MANAGER, "PrepareForSleep", "b", True, destination=destination
            )
            told: tuple[object, ...] = (SESSION, {"LockedHint": ("b", True)}, [])
            await stranger.signal(
                session_path("2"),
                PROPERTIES,
                "PropertiesChanged",
                "sa{sv}as",
                *told,
                destination=destination,
            )
        # It says hello and more to the bus before it is asked, which takes longer than a signal.
        async with open_logind(system_bus.address) as successor:
            await successor.program.wait_asked(LAST_QUESTION)
            await logind.sleep()
            await successor.lock()
            await sink.wait_told("locked")


@pytest.mark.parametrize(
    ("signature", "body"), [("s", ("yes",)), ("", ()), ("bb", (True, True)), ("i", (1,))]
)
async def test_a_signal_of_the_wrong_shape_is_ignored(
    system_bus: SessionBus, logind: FakeLogind, signature: str, body: tuple[object, ...]
) -> None:
    async with open_watcher(system_bus.address) as sink:
        await logind.program.wait_asked(LAST_QUESTION)
        await logind.program.signal(PATH, MANAGER, "PrepareForSleep", signature, *body)
        hints: list[tuple[object, ...]] = [
            (SESSION, {"LockedHint": ("s", "yes")}, []),
            (SESSION, {"IdleHint": ("b", True)}, ["Active"]),
        ]
        for told in hints:
            await logind.program.signal(
                session_path("2"), PROPERTIES, "PropertiesChanged", "sa{sv}as", *told
            )
        await logind.lock()
        await sink.wait_told("locked")


@pytest.mark.parametrize("mood", ["refusing", "confused"])
async def test_a_logind_that_knows_nothing_is_heard_all_the_same(
    system_bus: SessionBus, logind: FakeLogind, mood: Mood
) -> None:
    logind.program.mood = mood
    async with open_watcher(system_bus.address) as sink:
        await logind.program.wait_asked(LAST_QUESTION)
        await logind.sleep()
        await sink.wait_told("asleep")


async def test_a_logind_that_hangs_is_asked_again_on_a_new_connection(
    system_bus: SessionBus, logind: FakeLogind, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    logind.program.mood = "silent"
    logind.machine.sessions["2"] = True
    async with open_watcher(system_bus.address) as sink:
        first = (await logind.program.wait_asked("GetSessionByPID")).client
        logind.program.mood = "well"
        second = (await logind.program.wait_asked(LAST_QUESTION)).client
        await sink.wait_told("locked")

    assert first != second
    assert "logind did not answer within 2 seconds" in caplog.text


async def test_a_logind_that_comes_later_or_anew_is_asked_how_things_are(
    system_bus: SessionBus,
) -> None:
    machine = Machine(sessions={"2": True})
    async with open_watcher(system_bus.address) as sink:
        expected: list[str] = []
        for _ in range(3):
            async with open_logind(system_bus.address, machine):
                expected.append("locked")
                await sink.wait_told(*expected)
            expected.append("open")
            await sink.wait_told(*expected)

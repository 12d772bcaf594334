"""What a person sees and chooses, on a desktop where all is well."""

import os
import subprocess
import sys

import pytest
import trio
import trio.testing

from antidriftd.adapters.notifications.dbus import DBusNotifier
from tests.adapters.notifications.notified import drift, open_notifier, time_is_up
from tests.fakes.notification_server import PLAIN, FakeNotificationServer, open_server
from tests.processes import open_files
from tests.session_bus import SessionBus
from tests.waiting import wait_until


async def test_a_drift_is_shown_with_what_can_be_chosen(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        notifier.show(drift())
        shown = await server.wait_shown()

    assert shown.app_name == "Antidrift"
    assert shown.summary == "Back to “write the report”?"
    assert shown.body.splitlines()[:2] == ["firefox: cats", "not work"]
    assert list(shown.actions) == ["refocus", "ontask", "complete"]
    assert shown.hints == {"urgency": ("y", 1), "desktop-entry": ("s", "antidrift")}
    assert shown.expire_timeout == -1


async def test_a_server_without_buttons_gets_none(bus: SessionBus) -> None:
    async with (
        open_server(bus.address, PLAIN) as server,
        open_notifier(bus.address) as (
            notifier,
            _,
        ),
    ):
        notifier.show(drift())
        shown = await server.wait_shown()

    assert shown.actions == {}
    assert "Back to task: antidrift refocus" in shown.body


async def test_the_next_takes_the_place_of_what_is_shown(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        notifier.show(drift())
        first = await server.wait_shown()
        notifier.show(time_is_up())
        second = await server.wait_shown(2)

        assert server.front == second
        assert second.number == first.number == second.replaces
        assert server.calls.count("GetCapabilities") == 1


async def test_the_same_notification_is_shown_again_when_it_is_repeated(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        notifier.show(drift())
        await server.wait_shown()
        notifier.show(drift())
        await server.wait_shown(2)


async def test_of_what_is_asked_for_at_once_only_the_newest_is_shown(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        notifier.show(drift(title="first"))
        notifier.withdraw()
        notifier.show(drift(title="second"))
        notifier.show(drift(title="third"))
        await server.wait_shown()
        await trio.testing.wait_all_tasks_blocked(0.05)

    assert ["third" in shown.body for shown in server.shown] == [True]


async def test_what_is_withdrawn_is_gone(bus: SessionBus, server: FakeNotificationServer) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        notifier.show(drift())
        shown = await server.wait_shown()
        notifier.withdraw()
        await server.wait_empty()

        assert server.closed == [shown.number]


async def test_what_is_withdrawn_while_it_is_being_shown_is_gone(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        server.turn("silent", "Notify")
        notifier.show(drift())
        await server.wait_called("Notify")
        notifier.withdraw()
        await server.relent()

        await server.wait_called("CloseNotification")
        await server.wait_empty()


@pytest.mark.parametrize("reason", [1, 2, 3, 4])
async def test_what_was_closed_is_shown_anew(
    bus: SessionBus, server: FakeNotificationServer, reason: int
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        before = open_files(os.getpid())
        notifier.show(drift())
        shown = await server.wait_shown()
        await server.close(shown.number, reason=reason)
        await wait_until(lambda: open_files(os.getpid()) == before)
        notifier.show(drift())

        assert (await server.wait_shown(2)).replaces == 0
    assert server.closed == [server.shown[1].number]


@pytest.mark.parametrize("choice", ["refocus", "ontask", "complete"])
async def test_what_is_chosen_in_a_drift_is_told_once(
    bus: SessionBus, server: FakeNotificationServer, choice: str
) -> None:
    async with open_notifier(bus.address) as (notifier, sink):
        notifier.show(drift(number=42))
        shown = await server.wait_shown()
        await server.invoke(shown.number, choice)
        await server.invoke(shown.number, choice)
        await sink.wait_answers(1)
        notifier.show(time_is_up(number=43))
        shown = await server.wait_shown(2)
        await server.invoke(shown.number, "extend")
        await sink.wait_answers(2)

    assert sink.answers == [(42, choice), (43, "extend")]
    assert shown.replaces == 0
    assert server.closed == []


async def test_a_click_on_what_is_being_replaced_is_told_of_that(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, sink):
        notifier.show(drift(number=1))
        shown = await server.wait_shown()
        server.turn("silent")
        notifier.show(drift(number=2))
        await server.wait_called("Notify", 2)
        await server.invoke(shown.number, "ontask")
        await server.relent()
        await sink.wait_answers(1)

        assert sink.answers == [(1, "ontask")]
        notifier.withdraw()
        await server.wait_empty()


async def test_nothing_is_connected_while_nothing_is_shown(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        before = open_files(os.getpid())
        notifier.withdraw()
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert open_files(os.getpid()) == before

        notifier.show(drift())
        await server.wait_shown()
        assert open_files(os.getpid()) == before + 1

        notifier.withdraw()
        await wait_until(lambda: open_files(os.getpid()) == before)


async def test_nothing_stays_on_the_screen_after_the_end(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        notifier.show(drift())
        await server.wait_shown()

    assert server.screen == {}


async def test_what_is_being_shown_at_the_end_is_withdrawn_too(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with trio.open_nursery() as nursery, open_notifier(bus.address) as (notifier, _):
        server.turn("silent", "Notify")
        notifier.show(drift())
        await server.wait_called("Notify")
        nursery.start_soon(server.relent)

    assert len(server.shown) == 1
    assert server.screen == {}


async def test_probing_names_the_program(bus: SessionBus, server: FakeNotificationServer) -> None:
    assert await DBusNotifier(bus.address).probe() == "fake 1.0"
    assert server.shown == []


def test_a_start_does_not_wait_for_jeepney() -> None:
    code = (
        "import sys, antidriftd.adapters.notifications.dbus, "
        "antidriftd.dbus.addresses; sys.exit('jeepney' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

"""Only the program that shows the notification is believed, and only about that notification."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio.testing
from jeepney.io.trio import DBusConnection, open_dbus_connection
from jeepney.low_level import HeaderFields
from jeepney.wrappers import new_signal

from tests.adapters.notifications.notified import drift, open_notifier
from tests.fakes.notification_server import EMITTER, FakeNotificationServer, Shown
from tests.session_bus import SessionBus


@asynccontextmanager
async def open_stranger(bus: SessionBus) -> AsyncIterator[DBusConnection]:
    """Yield a connection of somebody else."""
    async with await open_dbus_connection(bus.address) as connection:
        yield connection


async def whisper(
    connection: DBusConnection, shown: Shown, name: str, signature: str, *body: object
) -> None:
    """Send a signal to nobody but the notifier, whatever it listens for."""
    signal = new_signal(EMITTER, name, signature, body)
    signal.header.fields[HeaderFields.destination] = shown.client
    await connection.send(signal)


async def test_a_stranger_can_neither_choose_nor_close(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with (
        open_stranger(bus) as stranger,
        open_notifier(bus.address) as (notifier, sink),
    ):
        notifier.show(drift())
        shown = await server.wait_shown()
        await whisper(stranger, shown, "ActionInvoked", "us", shown.number, "complete")
        await whisper(stranger, shown, "NotificationClosed", "uu", shown.number, 2)
        await whisper(stranger, shown, "NameOwnerChanged", "sss", "a.b", ":1.1", "")
        await stranger.send(new_signal(EMITTER, "ActionInvoked", "us", (shown.number, "complete")))
        await trio.testing.wait_all_tasks_blocked(0.1)
        assert sink.answers == []

        notifier.withdraw()
        await server.wait_empty()
    assert server.closed == [shown.number]


async def test_a_signal_to_nobody_else_counts_when_its_sender_may_say_so(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    """GNOME Shell tells only the one whose notification it is."""
    async with open_notifier(bus.address) as (notifier, sink):
        notifier.show(drift())
        shown = await server.wait_shown()
        await whisper(server.connection, shown, "ActionInvoked", "us", shown.number, "refocus")
        await sink.wait_answers(1)


async def test_what_the_same_program_tells_of_something_else_changes_nothing(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    """GNOME Shell has many interfaces, and signals of the same name in others."""
    async with open_notifier(bus.address) as (notifier, sink):
        notifier.show(drift())
        shown = await server.wait_shown()
        other = EMITTER.with_interface("org.gtk.Notifications")
        signal = new_signal(other, "ActionInvoked", "us", (shown.number, "complete"))
        signal.header.fields[HeaderFields.destination] = shown.client
        await server.connection.send(signal)
        await server.invoke(shown.number, "ontask")
        await sink.wait_answers(1)

    assert sink.answers == [(7, "ontask")]


@pytest.mark.parametrize(
    ("name", "signature", "body"),
    [
        ("ActionInvoked", "us", (999, "refocus")),
        ("ActionInvoked", "us", (1, "default")),
        ("ActionInvoked", "us", (1, "extend")),
        ("ActionInvoked", "us", (1, "rm -rf /")),
        ("ActionInvoked", "u", (1,)),
        ("ActionInvoked", "ss", ("1", "refocus")),
        ("ActionInvoked", "uas", (1, ["refocus"])),
        ("ActivationToken", "us", (1, "refocus")),
        ("NotificationClosed", "uu", (999, 2)),
        ("NotificationClosed", "s", ("",)),
        ("SomethingElse", "", ()),
    ],
)
async def test_what_is_no_answer_to_this_notification_changes_nothing(
    bus: SessionBus,
    server: FakeNotificationServer,
    name: str,
    signature: str,
    body: tuple[object, ...],
) -> None:
    async with open_notifier(bus.address) as (notifier, sink):
        notifier.show(drift())
        shown = await server.wait_shown()
        assert shown.number == 1
        await server.signal(name, signature, *body)
        await server.signal("ActionInvoked", "us", 1, "ontask")
        await sink.wait_answers(1)

    assert sink.answers == [(7, "ontask")]


async def test_many_signals_at_once_hide_none(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, sink):
        notifier.show(drift())
        shown = await server.wait_shown()
        for number in range(1_000):
            await server.signal("NotificationClosed", "uu", 10_000 + number, 1)
        await server.invoke(shown.number, "complete")
        await sink.wait_answers(1)

"""A desktop without notifications, or with a broken bus or server, costs one line in the log."""

import os
from collections.abc import Callable

import pytest
import trio
import trio.testing

from antidriftd.adapters.notifications.dbus import DBusNotifier
from antidriftd.adapters.notifications.port import NoNotificationBus, NotificationError
from tests.adapters.notifications.notified import drift, open_notifier, time_is_up
from tests.fakes.notification_server import FakeNotificationServer, Mood, Shown, open_server
from tests.processes import open_files
from tests.session_bus import SessionBus
from tests.waiting import wait_until

SECRET = "a very private title"


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    assert all("\n" not in record.getMessage() for record in caplog.records)
    assert SECRET not in caplog.text
    return [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]


def is_about_time(shown: Shown) -> bool:
    return shown.summary.startswith("Time is up")


async def wait_complaint(caplog: pytest.LogCaptureFixture, count: int = 1) -> str:
    await wait_until(lambda: len(complaints(caplog)) >= count)
    return complaints(caplog)[-1]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("", "set DBUS_SESSION_BUS_ADDRESS"),
        ("tcp:host=localhost,port=1", "names no Unix socket"),
        ("unix:path=/no/such/socket", "No such file or directory; is dbus-daemon running?"),
        ("unix:path=" + "x" * 500, "too long"),
        ("unix:path=/a%00b", "No such file"),
    ],
)
async def test_without_a_bus_nothing_is_shown_and_one_line_says_so(
    caplog: pytest.LogCaptureFixture, address: str, why: str
) -> None:
    async with open_notifier(address) as (notifier, _):
        for _ in range(3):
            notifier.show(drift(title=SECRET))
            await trio.testing.wait_all_tasks_blocked(0.05)
        assert why in await wait_complaint(caplog)

    assert len(complaints(caplog)) == 1
    with pytest.raises(NoNotificationBus, match=r"bus|BUS"):
        await DBusNotifier(address).probe()


async def test_nothing_is_withdrawn_where_nothing_is_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with open_notifier("") as (notifier, _):
        notifier.withdraw()
        await trio.testing.wait_all_tasks_blocked(0.05)

    assert complaints(caplog) == []


async def test_without_a_server_nothing_is_shown_until_there_is_one(
    caplog: pytest.LogCaptureFixture, bus: SessionBus
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        notifier.show(drift(title=SECRET))
        assert "install and start one, such as dunst or mako" in await wait_complaint(caplog)

        async with open_server(bus.address) as server:
            notifier.show(time_is_up())
            await server.wait_shown()

    assert len(server.shown) == 1
    assert len(complaints(caplog)) == 1
    with pytest.raises(NotificationError, match="such as dunst") as caught:
        await DBusNotifier(bus.address).probe()
    assert not isinstance(caught.value, NoNotificationBus)


@pytest.mark.parametrize("mood", ["refusing", "confused"])
@pytest.mark.parametrize("method", ["GetCapabilities", "Notify"])
async def test_a_server_that_fails_is_asked_anew_the_next_time(
    caplog: pytest.LogCaptureFixture,
    bus: SessionBus,
    server: FakeNotificationServer,
    mood: Mood,
    method: str,
) -> None:
    async with open_notifier(bus.address) as (notifier, sink):
        server.turn(mood, method)
        for count in (1, 2):
            notifier.show(drift(title=SECRET))
            await server.wait_called(method, count)
        await wait_complaint(caplog)
        await server.relent()
        notifier.show(drift(title=SECRET))
        shown = await server.wait_shown()
        await server.invoke(shown.number, "refocus")
        await sink.wait_answers(1)

    assert len(complaints(caplog)) == 1


async def test_a_new_failure_is_told_once_it_had_worked(
    caplog: pytest.LogCaptureFixture, bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        for count in (1, 2):
            server.turn("refusing", "Notify")
            notifier.show(drift())
            await wait_complaint(caplog, count)
            await server.relent()
            notifier.show(drift())
            await server.wait_shown(count)
            notifier.withdraw()
            await server.wait_empty()


async def test_what_was_shown_does_not_stay_when_its_successor_is_refused(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        notifier.show(drift())
        await server.wait_shown()
        server.turn("refusing", "Notify")
        notifier.show(time_is_up())
        await server.wait_empty()


@pytest.mark.parametrize("method", ["GetCapabilities", "Notify"])
async def test_a_hanging_server_is_given_up_and_the_newest_shown_once_it_answers(
    caplog: pytest.LogCaptureFixture,
    bus: SessionBus,
    server: FakeNotificationServer,
    method: str,
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        server.turn("silent", method)
        notifier.show(drift(title=SECRET))
        assert "did not answer within 2 seconds" in await wait_complaint(caplog)
        await server.relent()
        notifier.show(time_is_up())
        await wait_until(lambda: server.shown[-1:] != [] and is_about_time(server.shown[-1]))

    assert not any(is_about_time(shown) for shown in server.screen.values())
    assert len(complaints(caplog)) == 1


async def test_a_server_that_hangs_at_the_end_does_not_hold_it_up(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        notifier.show(drift())
        await server.wait_shown()
        server.turn("silent")
        began = trio.current_time()

    assert trio.current_time() - began < 1.9  # not the two seconds that an answer may take


async def test_probing_a_hanging_server_ends(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    server.turn("silent")
    with pytest.raises(NotificationError, match="did not answer within 2 seconds") as caught:
        await DBusNotifier(bus.address).probe()
    assert not isinstance(caught.value, NoNotificationBus)


async def test_a_frozen_bus_is_given_up_and_works_again_once_it_runs(
    caplog: pytest.LogCaptureFixture, bus: SessionBus, server: FakeNotificationServer
) -> None:
    before = open_files(os.getpid())
    async with open_notifier(bus.address) as (notifier, _):
        bus.freeze()
        notifier.show(drift())
        assert "did not answer within 2 seconds" in await wait_complaint(caplog)
        assert open_files(os.getpid()) == before
        bus.thaw()
        notifier.show(drift())
        await server.wait_shown()


async def test_a_restarted_server_shows_what_comes_next(bus: SessionBus) -> None:
    async with open_notifier(bus.address) as (notifier, sink):
        for _ in range(3):
            async with open_server(bus.address) as server:
                notifier.show(drift())
                shown = await server.wait_shown()
                await server.invoke(shown.number, "refocus")
                await sink.wait_answers(1)
                sink.answers.clear()
                notifier.show(drift())
                assert (await server.wait_shown(2)).replaces == 0


async def test_a_server_that_takes_over_is_asked_what_it_can(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, sink):
        notifier.show(drift())
        await server.wait_shown()
        async with open_server(bus.address, ["body"]) as successor:
            notifier.show(drift())
            shown = await successor.wait_shown()
            assert (shown.replaces, shown.actions) == (0, {})
            await server.signal("ActionInvoked", "us", shown.number, "complete")
            await successor.signal("ActionInvoked", "us", shown.number, "refocus")
            await sink.wait_answers(1)

    assert sink.answers == [(7, "refocus")]


async def test_a_server_that_takes_over_is_not_told_the_numbers_of_the_one_before(
    bus: SessionBus, server: FakeNotificationServer
) -> None:
    async with open_notifier(bus.address) as (notifier, _):
        server.turn("silent", "Notify")
        notifier.show(drift())
        await server.wait_called("Notify")
        async with open_server(bus.address, ["body"]) as successor:
            await server.relent()
            await server.wait_shown()
            notifier.show(drift())
            shown = await successor.wait_shown()

    assert (shown.replaces, shown.actions) == (0, {})


async def test_a_bus_that_dies_again_and_again_is_used_whenever_it_is_back(
    bus: SessionBus,
) -> None:
    before = open_files(os.getpid())
    async with open_notifier(bus.address) as (notifier, _):
        for _ in range(50):
            async with open_server(bus.address) as server:
                notifier.show(drift())
                await server.wait_shown()
                await bus.kill()
            notifier.show(drift())
            await trio.testing.wait_all_tasks_blocked()
            await bus.start()
        await wait_until(lambda: open_files(os.getpid()) <= before)


def hang_up(_: bytes | bytearray) -> bytes:
    return b""


def talk_nonsense(_: bytes | bytearray) -> bytes:
    return b"HTTP/1.1 400 Bad Request\r\n\r\n"


def break_off(data: bytes | bytearray) -> bytes:
    return b"OK 1234\r\n" if b"AUTH" in data else b"x" * 64


@pytest.mark.parametrize("answer", [hang_up, talk_nonsense, break_off])
async def test_something_else_at_the_address_is_no_bus(
    tmp_path_factory: pytest.TempPathFactory, answer: Callable[[bytes | bytearray], bytes]
) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        async with stream:
            async for data in stream:
                if not (said := answer(data)):
                    return
                await stream.send_all(said)

    path = str(tmp_path_factory.getbasetemp() / f"{answer.__name__}.sock")
    with trio.socket.socket(trio.socket.AF_UNIX) as listening:
        await listening.bind(path)
        listening.listen()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, serve, [trio.SocketListener(listening)])
            began = trio.current_time()
            with pytest.raises(NoNotificationBus, match="connection to the session bus is lost"):
                await DBusNotifier(f"unix:path={path}").probe()
            assert trio.current_time() - began < 1.9
            nursery.cancel_scope.cancel()

"""What every notifier keeps to, whatever the desktop."""

from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import trio
import trio.testing

from antidriftd.adapters.notifications.dbus import DBusNotifier
from antidriftd.adapters.notifications.none import NoNotifier
from antidriftd.adapters.notifications.port import NotificationError, Notifier
from tests.adapters.notifications.notified import drift, running, time_is_up
from tests.fakes.notification_server import open_server
from tests.session_bus import open_bus


@pytest.fixture(params=["none", "no bus", "no server", "server"])
async def notifier(request: pytest.FixtureRequest) -> AsyncIterator[Notifier]:
    async with open_bus() as bus:
        match request.param:
            case "none":
                yield NoNotifier()
            case "no bus":
                yield DBusNotifier("")
            case "no server":
                yield DBusNotifier(bus.address)
            case _:
                async with open_server(bus.address):
                    yield DBusNotifier(bus.address)


class TestNotifierContract:
    async def test_orders_return_at_once_whether_it_runs_or_not(self, notifier: Notifier) -> None:
        notifier.show(drift())
        notifier.withdraw()
        async with running(notifier):
            notifier.show(time_is_up())
            notifier.withdraw()
        notifier.show(drift())

    async def test_nothing_but_a_cancellation_ends_it_and_it_can_run_again(
        self, notifier: Notifier
    ) -> None:
        for _ in range(2):
            async with running(notifier) as sink:
                for order in (drift(), time_is_up()):
                    notifier.show(order)
                    await trio.testing.wait_all_tasks_blocked(0.05)
                notifier.withdraw()
                await trio.testing.wait_all_tasks_blocked(0.05)
            assert sink.answers == []

    async def test_a_probe_names_the_program_or_says_in_one_line_why_there_is_none(
        self, notifier: Notifier
    ) -> None:
        try:
            said = await notifier.probe()
        except NotificationError as error:
            said = str(error)

        assert len(said.splitlines()) == 1

    async def test_it_can_be_probed_while_it_runs(self, notifier: Notifier) -> None:
        async with running(notifier):
            notifier.show(drift())
            with trio.fail_after(30):
                with suppress(NotificationError):
                    await notifier.probe()

"""A running notifier, what is told of it, and notifications to show."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from antidriftd.adapters.notifications.dbus import DBusNotifier
from antidriftd.adapters.notifications.port import Notifier
from antidriftd.core.model import Notification, NotificationChoice, Window
from tests.waiting import wait_until


class RecordingSink:
    """Keeps what was chosen, in order."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, NotificationChoice]] = []

    def notification_answered(self, notification: int, choice: NotificationChoice) -> None:
        self.answers.append((notification, choice))

    async def wait_answers(self, count: int) -> None:
        """Wait until so many answers were given in all."""
        await wait_until(lambda: len(self.answers) >= count)


def drift(
    number: int = 7, title: str = "cats", window_class: str = "firefox", reason: str = "not work"
) -> Notification:
    """Return what a person is told who drifted while writing the report."""
    return Notification(
        id=number,
        about="drift",
        next_action="write the report",
        window=Window(window_class, title),
        reason=reason,
    )


def time_is_up(number: int = 8) -> Notification:
    """Return what a person is told when the time for the report is up."""
    return Notification(id=number, about="timebox", next_action="write the report")


def long_pause(number: int = 9) -> Notification:
    """Return what a person is told who paused the report for a quarter of an hour."""
    return Notification(id=number, about="pause", next_action="write the report")


@asynccontextmanager
async def running(notifier: Notifier) -> AsyncIterator[RecordingSink]:
    """Run a notifier in the background, yielding what is told of it."""
    sink = RecordingSink()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(notifier.run, sink)
        yield sink
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def open_notifier(address: str) -> AsyncIterator[tuple[DBusNotifier, RecordingSink]]:
    """Run a notifier on the bus at `address`."""
    notifier = DBusNotifier(address)
    async with running(notifier) as sink:
        yield notifier, sink

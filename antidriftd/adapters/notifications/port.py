"""The port through which a person is told something on their desktop."""

from typing import Protocol

from antidriftd.core.model import Notification, NotificationChoice


class NotificationError(Exception):
    """Nobody shows notifications; the message says why, in one line."""


class NoNotificationBus(NotificationError):
    """There is no message bus on which anybody could be asked to show them."""


class NotificationSink(Protocol):
    """Where a notifier reports; the call returns at once."""

    def notification_answered(self, notification: int, choice: NotificationChoice) -> None:
        """Tell what was chosen in the notification of this id."""


class Notifier(Protocol):
    """Shows one notification at a time."""

    def show(self, notification: Notification) -> None:
        """Show this in place of what is shown; returns at once."""

    def withdraw(self) -> None:
        """Show nothing any more; returns at once."""

    async def run(self, sink: NotificationSink) -> None:
        """Do what was asked for and report what is chosen, until cancelled.

        A desktop without notifications, or one that hangs, is no failure: what couldn't be shown is
        dropped.
        """

    async def probe(self) -> str:
        """Return the name of the program that shows notifications.

        Raises:
            NotificationError: there is none.
        """

"""The notifier that speaks to the desktop over the session bus."""

import logging
from typing import TYPE_CHECKING

import trio

from antidriftd.adapters.notifications.port import (
    NoNotificationBus,
    NotificationError,
    NotificationSink,
)
from antidriftd.core.model import Notification
from antidriftd.dbus.errors import BusError, NobodyThere, NoBus

if TYPE_CHECKING:  # it brings jeepney
    from antidriftd.adapters.notifications.bubble import Bubble

_log = logging.getLogger(__name__)


class DBusNotifier:
    """Shows notifications through whatever program does that on this desktop.

    There is a connection while there is something to show, and nothing else wakes this up. What is
    asked for meanwhile waits for the call under way; only the newest is kept. jeepney is imported
    when it is needed first: that takes as long as half a start.
    """

    def __init__(self, address: str) -> None:
        """Use the bus at `address`, which may be empty: then nothing can be shown."""
        self._address = address
        self._wanted: Notification | None = None
        self._is_new_order = False
        self._waiting = trio.CancelScope()
        self._is_failing = False

    def show(self, notification: Notification) -> None:
        """Show this in place of what is shown; returns at once."""
        self._order(notification)

    def withdraw(self) -> None:
        """Show nothing any more; returns at once."""
        self._order(None)

    async def run(self, sink: NotificationSink) -> None:
        """Do what was asked for and report what is chosen, until cancelled.

        What couldn't be shown is dropped; the log says why, and then nothing until it works again.
        """
        while True:
            with trio.CancelScope() as self._waiting:
                if not self._is_new_order:
                    await trio.sleep_forever()
            self._is_new_order = False
            if self._wanted:
                try:
                    await self._show_what_is_wanted(sink)
                except BusError as error:
                    self._complain(error)

    async def probe(self) -> str:
        """Return name and version of the program that shows notifications.

        Raises:
            NotificationError: there is none, or it does not answer.
        """
        from antidriftd.adapters.notifications.bubble import server_name

        try:
            return await server_name(self._address)
        except NoBus as error:
            raise NoNotificationBus(str(error)) from error
        except BusError as error:
            raise NotificationError(_words(error)) from error

    def _order(self, wanted: Notification | None) -> None:
        self._wanted, self._is_new_order = wanted, True
        self._waiting.cancel()

    async def _show_what_is_wanted(self, sink: NotificationSink) -> None:
        """Return when nothing is shown any more, and nothing is to be."""
        from antidriftd.adapters.notifications.bubble import open_bubble

        async with open_bubble(self._address, sink) as bubble:
            await self._update(bubble)
            while bubble.is_up:
                with trio.CancelScope() as self._waiting:
                    if not self._is_new_order:
                        await bubble.wait_gone()
                if self._is_new_order:
                    await self._update(bubble)

    async def _update(self, bubble: "Bubble") -> None:
        self._is_new_order = False
        if self._wanted:
            await bubble.show(self._wanted)
            self._is_failing = False
        else:
            await bubble.withdraw()

    def _complain(self, error: BusError) -> None:
        if not self._is_failing:
            _log.warning("notifications are not shown: %s", _words(error))
        self._is_failing = True


def _words(error: BusError) -> str:
    if isinstance(error, NobodyThere):
        return "no program shows notifications; install and start one, such as dunst or mako"
    return str(error)

"""The notifier that shows nothing, for those who switched notifications off."""

import trio

from antidriftd.adapters.notifications.port import NotificationError, NotificationSink
from antidriftd.core.model import Notification


class NoNotifier:
    """Shows nothing."""

    def show(self, notification: Notification) -> None:
        """Ignore it."""

    def withdraw(self) -> None:
        """Do nothing."""

    async def run(self, sink: NotificationSink) -> None:
        """Do nothing until cancelled."""
        await trio.sleep_forever()

    async def probe(self) -> str:
        """Say that nothing is shown.

        Raises:
            NotificationError: always.
        """
        raise NotificationError("notifications are switched off (notify.enabled = false)")

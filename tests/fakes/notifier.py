"""A notifier that shows nothing, and remembers what it was to show."""

import trio

from antidriftd.adapters.notifications.port import NotificationSink
from antidriftd.core.model import Notification, NotificationChoice


class FakeNotifier:
    """Lets a test choose in what is shown."""

    def __init__(self) -> None:
        self.shown: list[Notification | None] = []
        """What was shown, in order; None for a withdrawal."""
        self._sink: NotificationSink | None = None

    def show(self, notification: Notification) -> None:
        """Remember it."""
        self.shown.append(notification)

    def withdraw(self) -> None:
        """Remember it."""
        self.shown.append(None)

    def choose(self, choice: NotificationChoice, notification: int | None = None) -> None:
        """Choose in the notification that was shown last, or in one of another id."""
        last = self.shown[-1]
        assert last is not None
        assert self._sink is not None
        self._sink.notification_answered(notification or last.id, choice)

    async def run(self, sink: NotificationSink) -> None:
        """Report what is chosen to `sink`."""
        self._sink = sink
        await trio.sleep_forever()

    async def probe(self) -> str:
        """Return its name."""
        return "fake"

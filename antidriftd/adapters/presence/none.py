"""The watcher that knows of nothing."""

import trio

from antidriftd.adapters.presence.port import PresenceSink


class NoPresenceWatcher:
    """Reports nothing."""

    async def run(self, sink: PresenceSink) -> None:
        """Do nothing until cancelled."""
        await trio.sleep_forever()

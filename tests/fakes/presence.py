"""A desktop that tells nothing of itself."""

import trio

from antidriftd.adapters.presence.port import PresenceSink


class SilentPresenceWatcher:
    """Reports nothing."""

    async def run(self, sink: PresenceSink) -> None:
        """Do nothing until cancelled."""
        await trio.sleep_forever()

"""The port through which the desktop tells whether somebody can be there."""

from typing import Protocol


class PresenceSink(Protocol):
    """Where a watcher reports; both calls return at once."""

    def screen_locked(self, locked: bool) -> None:
        """Tell whether the screen is locked."""

    def machine_sleeps(self, asleep: bool) -> None:
        """Tell that the machine is about to sleep, or awake again."""


class PresenceWatcher(Protocol):
    """A source of what only the desktop knows; input itself is the window sensor's to see."""

    async def run(self, sink: PresenceSink) -> None:
        """Report to `sink` until cancelled; a desktop that tells nothing is no failure.

        When the source is lost, the screen counts as open and the machine as awake.
        """

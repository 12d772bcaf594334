"""Labels in memory, in a history that can refuse."""

from collections.abc import Sequence
from dataclasses import replace

import trio

from antidriftd.adapters.store.port import StoreError
from antidriftd.core.learned import MAX_LABELS, Label, Past


class FakeLabelStore:
    """Gives what is in `past`, the newest labels first."""

    def __init__(self, past: Past | None = None) -> None:
        self.past = past or Past()
        self.reads = 0
        self.trouble = ""
        """Why the disk refuses; empty when it doesn't."""

    async def read(self, most: int = MAX_LABELS) -> Past:
        """Return what is known."""
        await trio.lowlevel.checkpoint()
        self.reads += 1
        newest = sorted(self.past.labels, key=lambda label: -label.at)
        return replace(self.past, labels=tuple(newest if most < 0 else newest[:most]))

    async def forget(self, labels: Sequence[Label]) -> None:
        """Drop these.

        Raises:
            StoreError: the disk refuses.
        """
        await trio.lowlevel.checkpoint()
        if self.trouble:
            raise StoreError(self.trouble)
        kept = tuple(label for label in self.past.labels if label not in labels)
        self.past = replace(self.past, labels=kept)

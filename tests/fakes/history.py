"""A history in memory, whose disk can refuse."""

from collections.abc import Sequence
from typing import TypeVar

import trio

from antidriftd.adapters.store.port import StoreError
from antidriftd.core.recording_state import Entry, Record

_R = TypeVar("_R", bound=Record)


class FakeHistoryStore:
    """Keeps every entry by its number."""

    def __init__(self) -> None:
        self.entries: dict[int, Record] = {}
        self.trouble = ""
        """Why the disk refuses; empty when it doesn't."""

    def all_of(self, kind: type[_R]) -> list[_R]:
        """Return what was written of this kind, in order."""
        return [record for record in self.entries.values() if isinstance(record, kind)]

    async def write(self, entries: Sequence[Entry]) -> str:
        """Keep the entries.

        Raises:
            StoreError: the disk refuses.
        """
        await trio.lowlevel.checkpoint()
        if self.trouble:
            raise StoreError(self.trouble)
        self.entries |= {entry.number: entry.record for entry in entries}
        return ""

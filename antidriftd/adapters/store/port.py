"""The port through which the state survives a restart."""

from dataclasses import dataclass
from typing import Protocol

from antidriftd.core.restore import Saved


class StoreError(Exception):
    """The disk refused; the message is one line for a person to read."""


class UnsafeStore(StoreError):
    """What lies in the snapshot's place is somebody else's."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was on disk; `trouble` says what could not be read, and where it was put."""

    saved: Saved | None
    trouble: str = ""


class SnapshotStore(Protocol):
    """Keeps one snapshot."""

    async def load(self) -> Loaded:
        """Return the last snapshot.

        Raises:
            StoreError: one is there that can neither be read nor set aside.
        """

    async def save(self, saved: Saved) -> None:
        """Replace the snapshot; when this returns, it survives a power cut.

        Raises:
            StoreError: the disk refused; the earlier snapshot is unharmed.
        """

"""The ports through which the state survives a restart, and sessions are remembered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from antidriftd.core.knowledge.steps import EvidenceStep
from antidriftd.core.learned import Label, Past
from antidriftd.core.recording_state import Entry
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


class HistoryStore(Protocol):
    """Keeps what happened in all sessions."""

    async def write(self, entries: Sequence[Entry]) -> str:
        """Add all of these, or none; one that is there already is replaced.

        When this returns, they survive a power cut. What is returned says which earlier history
        could not be read, and where it was put; it is empty when all is well.

        Raises:
            StoreError: the disk refused, or the history can't be read.
        """


def keep_nothing(step: EvidenceStep) -> None:
    """Keep nothing of what a session shows."""
    del step


class LabelStore(Protocol):
    """Finds in the history what the person said of windows, in sessions that are over."""

    async def read(self, most: int = ...) -> Past:
        """Return what is known, the newest first; `most` labels, all of them if it is negative.

        A history that isn't there or can't be read is an empty past.
        """

    async def forget(self, labels: Sequence[Label]) -> None:
        """Take the window away from these answers: its class, its title and its page.

        When this returns, that survives a power cut, and no byte of it is left in the file; only
        where somebody goes on reading what was there before, it goes with the first write after.

        Raises:
            StoreError: the history can't be written; not all of it is forgotten.
        """


@dataclass(frozen=True, slots=True)
class Stores:
    """All that keeps something on disk."""

    snapshot: SnapshotStore
    history: HistoryStore
    keep_evidence: Callable[[EvidenceStep], object] = keep_nothing
    """Takes what sessions show; returns at once."""

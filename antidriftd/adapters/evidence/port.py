"""The port to the evidence: live files, sealed inputs, runs. All of it blocks, for a thread."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from antidriftd.core.knowledge.evidence import Header, Line
from antidriftd.core.knowledge.model import Destination, Input
from antidriftd.core.knowledge.proposing import Proposal
from antidriftd.core.knowledge.runs import Receipt, Run


class LiveEvidence(Protocol):
    """What is written of sessions while they run."""

    def begin(self, session_id: str, header: Header) -> None:
        """Make the live file of a session."""

    def read(self, session_id: str) -> tuple[Header, tuple[Line, ...]] | None:
        """Return a live file's content; None if there is none. A torn line is marked as a gap."""

    def append(self, session_id: str, lines: Sequence[Line]) -> bool:
        """Add lines, on disk when this returns; a gap takes the place of what exceeds the limit.

        Returns whether all of them were kept.
        """

    def sessions(self) -> tuple[str, ...]:
        """Return the sessions that have a live file."""

    def remove(self, session_id: str) -> None:
        """Remove a live file, once its input is kept."""


class Inputs(Protocol):
    """Sealed evidence, by the hash of its bytes."""

    def keep(self, packet: Input) -> str:
        """Write an input, on disk when this returns, and return its id; twice is once."""

    def read_all(self) -> Mapping[str, tuple[Input, int]]:
        """Return every input with its size in bytes, oldest session first.

        Raises:
            CustodyError: `E_INPUT`, one isn't what its name says.
        """

    def names(self) -> tuple[str, ...]:
        """Return the ids of all inputs, none of which is read."""

    def rebind(self, input_id: str, to: Destination, at: str) -> None:
        """Keep a receipt that an input goes elsewhere from now on."""

    def destinations(self) -> Mapping[str, Destination]:
        """Return where inputs go that were sent elsewhere."""

    def forget(self, input_id: str, at: str) -> None:
        """Delete an input and leave a tombstone."""

    def forgotten(self) -> tuple[str, ...]:
        """Return the inputs that have a tombstone."""

    def bury(self) -> None:
        """Delete what has a tombstone and is still there."""


class RunFiles(Protocol):
    """What is kept of each run."""

    def read_all(self) -> Mapping[str, Run]:
        """Return where each run stands, from its receipts; oldest first.

        Raises:
            CustodyError: `E_INPUT`, a receipt isn't what its name says.
        """

    def add(self, receipt: Receipt) -> Run:
        """Write a receipt, on disk when this returns; return where the run stands then."""

    def write_text(self, run: str, name: str, text: str) -> None:
        """Keep a text of a run, such as its prompt."""

    def read_text(self, run: str, name: str) -> str | None:
        """Return a text of a run; None if there is none."""

    def propose(self, proposal: Proposal) -> None:
        """Keep a proposal."""

    def proposal(self, run: str) -> Proposal | None:
        """Return a run's proposal; None if there is none.

        Raises:
            CustodyError: `E_INPUT`, it is damaged.
        """

    def forget(self, inputs: Collection[str]) -> None:
        """Delete what runs keep of the words of inputs: prompts, answers, reasons."""

    def mend_views(self) -> None:
        """Write each run's view anew from its receipts, where it lags behind."""


class Evidence(Protocol):
    """All of it, and the lock that makes us the only writer."""

    @property
    def live(self) -> LiveEvidence:
        """What is written of sessions while they run."""

    @property
    def inputs(self) -> Inputs:
        """Sealed evidence."""

    @property
    def runs(self) -> RunFiles:
        """What is kept of each run."""

    def exists(self) -> bool:
        """Return whether anything has ever been kept; asking makes nothing."""

    def lock(self) -> AbstractContextManager[None]:
        """Hold the lock, making the directory if need be.

        Raises:
            CustodyError: `E_BUSY`, somebody else holds it.
        """

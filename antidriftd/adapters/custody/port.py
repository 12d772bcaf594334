"""The ports to custody: the bindings, and a node that can be read and published to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from antidriftd.core.knowledge.bindings import Binding, Bindings
from antidriftd.core.knowledge.marker import Node
from antidriftd.core.knowledge.model import CustodyKind
from antidriftd.core.knowledge.proposing import Proposal

Standing = Literal["unpublished", "applied", "delivered", "accepted", "stale", "uncertain"]
"""What is seen of a publication: nothing, all of it, a branch, its merge, another text, parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A node as it is now."""

    content: bytes = field(repr=False)
    base_id: str
    node: Node
    locator: Mapping[str, str]
    commit: str = ""
    """Of a Git base: what the accepted ref is."""
    date: str = ""
    """Of a Git base: the commit's date; empty where nothing tells how fresh the content is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be published, in every detail that makes it come out the same each time."""

    proposal: Proposal = field(repr=False)
    commit: str
    """The commit to build on; empty outside of Git."""
    at: str
    """When the person accepted it, as RFC 3339."""


class Custody(Protocol):
    """One node, in one kind of store."""

    @property
    def kind(self) -> CustodyKind:
        """What kind of store it is."""

    @property
    def limits(self) -> str:
        """What the store can't tell, for receipts; empty if nothing is missing."""

    async def read(self) -> Reading:
        """Return what is accepted now; nothing is made, changed or fetched.

        Raises:
            CustodyError: it can't be established.
        """

    async def publish(self, order: Order) -> None:
        """Write what was proposed, unless the node is no longer what it was made from.

        Raises:
            CustodyError: nothing was written (`E_STALE`, `E_PATH`, `E_GIT_CUSTODY`, …), or it
                can't be told (`E_UNCERTAIN`).
        """

    async def check(self, order: Order) -> Standing:
        """Return what is seen of a publication; nothing is changed.

        Raises:
            CustodyError: nothing can be seen.
        """


class Bases(Protocol):
    """The bindings, read afresh each time, and the stores that they name."""

    @property
    def path(self) -> str:
        """Where the bindings are looked for."""

    async def bindings(self) -> Bindings | None:
        """Return the bindings; None while there are none.

        Raises:
            CustodyError: `E_BINDINGS`, they can't be read or meant.
        """

    def custody(self, base: Binding, node: str) -> Custody:
        """Return a node of a base; whether it is there shows when it is read."""

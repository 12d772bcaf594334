"""The life of a harvest: its states, the receipts that prove them, and what follows from these."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.model import Destination

RunState = Literal[
    "claimed",
    "judging",
    "no-change",
    "failed",
    "held",
    "proposed",
    "stale",
    "rejected",
    "publishing",
    "applied",
    "delivered",
    "accepted",
    "uncertain",
]

NEXT: Mapping[RunState, frozenset[RunState]] = MappingProxyType(
    {
        "claimed": frozenset({"judging", "held", "rejected"}),
        "judging": frozenset(
            {"judging", "no-change", "failed", "held", "proposed", "stale", "rejected"}
        ),
        "no-change": frozenset(),
        "failed": frozenset({"judging", "held", "proposed", "rejected"}),
        "held": frozenset({"judging", "held", "rejected"}),
        "proposed": frozenset({"publishing", "stale", "held", "rejected"}),
        "stale": frozenset({"rejected"}),
        "rejected": frozenset({"rejected"}),
        "publishing": frozenset(
            {"applied", "delivered", "proposed", "failed", "stale", "uncertain"}
        ),
        "applied": frozenset(),
        "delivered": frozenset({"accepted", "rejected"}),
        "accepted": frozenset(),
        "uncertain": frozenset({"applied", "failed", "stale", "rejected"}),
    }
)
"""Which state may follow which. `rejected` follows itself only to name the run that took over."""

UNFINISHED: frozenset[RunState] = frozenset(
    {"claimed", "judging", "failed", "held", "proposed", "stale", "publishing", "uncertain"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a run took on: it never changes."""

    inputs: tuple[str, ...]
    owner: str
    destination: Destination
    judge: str
    """The judge's name and the version of the question."""
    after: str = ""
    """The run that this one takes over from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One change of a run's state, written once and never changed."""

    v: int = 1
    run: str
    seq: int
    at: str
    state: RunState
    code: str = ""
    previous: str = ""
    """The hash of the receipt before it."""
    claim: Claim | None = None
    baseline: str = ""
    """The hash of the node's content that was judged from."""
    commit: str = ""
    """Of a Git base: the commit that was read, or that is built on."""
    attempt: int = 0
    linked: str = ""
    """The run that takes over."""
    rebound: Destination | None = None
    reason: str = field(default="", repr=False)
    """In the person's words."""
    limits: str = ""
    """What the custody can't tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Where a run stands, as its receipts tell."""

    run: str
    state: RunState
    code: str = ""
    claim: Claim
    began: str
    baseline: str = ""
    commit: str = ""
    attempt: int = 0
    linked: str = ""
    rebound: bool = False
    accepted_at: str = ""
    """When the person accepted the proposal."""
    seq: int
    last: str = ""
    """The hash of the newest receipt."""

    @property
    def day(self) -> str:
        """The day that learned lines are marked with."""
        return self.began[:10]

    @property
    def is_unfinished(self) -> bool:
        """Whether something is still to be decided."""
        return self.state in UNFINISHED


def run_key(claim: Claim, baseline: str) -> str:
    """Return the id of the run that would do this: the same request has the same id."""
    parts = (
        *sorted(claim.inputs),
        claim.destination.ref,
        claim.destination.base_id,
        baseline,
        claim.judge,
        claim.after,
    )
    return "r-" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def fold(receipts: Iterable[tuple[str, Receipt]]) -> Run:
    """Return where a run stands; the receipts come with their hashes, in any order.

    Raises:
        CustodyError: `E_INPUT`, they make no sense.
    """
    ordered = sorted(receipts, key=lambda each: each[1].seq)
    if not ordered or (claim := ordered[0][1].claim) is None:
        raise CustodyError("E_INPUT", "a run has no claim; its receipts are damaged")
    (first_hash, first), *rest = ordered
    run = Run(
        run=first.run,
        state=first.state,
        code=first.code,
        claim=claim,
        began=first.at,
        baseline=first.baseline,
        commit=first.commit,
        seq=first.seq,
        last=first_hash,
    )
    for name, receipt in rest:
        run = _after(run, name, receipt)
    return run


def _after(run: Run, name: str, receipt: Receipt) -> Run:
    is_chained = receipt.seq == run.seq + 1 and receipt.previous == run.last
    if not is_chained or receipt.state not in NEXT[run.state]:
        raise CustodyError("E_INPUT", f"the receipts of {run.run} contradict each other")
    return replace(
        run,
        state=receipt.state,
        code=receipt.code,
        baseline=receipt.baseline or run.baseline,
        commit=receipt.commit or run.commit,
        attempt=receipt.attempt or run.attempt,
        linked=receipt.linked or run.linked,
        rebound=run.rebound or receipt.rebound is not None,
        accepted_at=receipt.at if receipt.state == "publishing" else run.accepted_at,
        seq=receipt.seq,
        last=name,
    )


def next_receipt(run: Run, state: RunState, at: str) -> Receipt:
    """Return the receipt of a change of state.

    Raises:
        CustodyError: `E_INPUT`, the run can't get there from where it is.
    """
    if state not in NEXT[run.state]:
        raise CustodyError("E_INPUT", f"{run.run} is {run.state}; it can't become {state}")
    return Receipt(run=run.run, seq=run.seq + 1, at=at, state=state, previous=run.last)

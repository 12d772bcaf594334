"""What a judge of evidence is asked, and what it says of each candidate."""

from dataclasses import dataclass, field
from typing import Literal

from antidriftd.core.knowledge.model import Candidate, Input

JUDGMENT_VERSION = "1"
"""Of the question: another one judges anew."""

Disposition = Literal["promote", "merge", "supersede", "drop"]
ReasonCode = Literal["durable", "duplicate", "task-only", "known", "unverified", "excluded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the judge says of one candidate. It has no word for a file, a base or a node."""

    candidate: str
    verdict: Disposition
    code: ReasonCode
    reason: str = field(repr=False)
    text: str | None = field(default=None, repr=False)
    as_of: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """All that a judge is shown."""

    section: str = field(repr=False)
    profile: str = field(repr=False)
    """What else stands in the node's file."""
    reads: tuple[str, ...] = field(default=(), repr=False)
    """The texts of nodes that are only consulted."""
    retired: tuple[str, ...] = field(default=(), repr=False)
    """What was learned once, and taken out by the person."""
    evidence: tuple[tuple[str, Input], ...] = field(repr=False)
    """The inputs by id."""


def name_of(input_id: str, candidate: Candidate) -> str:
    """Return what a candidate is called in a question and its answer."""
    return f"{input_id[:8]}:{candidate.n}"


def named(evidence: tuple[tuple[str, Input], ...]) -> dict[str, tuple[Input, Candidate]]:
    """Return every candidate by its name."""
    return {
        name_of(input_id, candidate): (packet, candidate)
        for input_id, packet in evidence
        for candidate in packet.candidates
    }

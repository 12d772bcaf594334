"""The values of learning: where evidence is meant to go, and the evidence itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

Kind = Literal["note", "decision", "override", "refocus", "verdict", "usage", "outcome"]
Certainty = Literal["stated", "observed", "inferred"]
CustodyKind = Literal["directory", "git", "command"]


def instant(utc: float) -> str:
    """Return a time in seconds since 1970 as RFC 3339 in UTC, to the second."""
    return datetime.fromtimestamp(utc, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """A node as it was resolved once; later changes of the bindings don't move it."""

    ref: str
    base_id: str
    kind: CustodyKind
    locator: Mapping[str, str]
    """Where the node lies, in the words of its custody."""
    bindings: str
    """The hash of the bindings that it was resolved from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The session that evidence is from; times are RFC 3339."""

    id: str
    label: str = field(default="", repr=False)
    started: str = ""
    ended: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One claim that may be worth keeping, and how sure it is."""

    n: int
    at: str
    kind: Kind
    claim: str = field(repr=False)
    scope: Literal["session", "standing"] = "session"
    certainty: Certainty
    third_party: bool = False
    """Whether it quotes somebody else: a window's title, say."""
    data: Mapping[str, str | int] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """Evidence, sealed: it is named by the hash of its bytes and never changes."""

    v: int = 1
    kind: Literal["session", "note", "review"]
    source: Source
    owner: str
    destination: Destination
    complete: bool = True
    gaps: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...]

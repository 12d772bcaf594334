"""The steps in which a session becomes evidence."""

from dataclasses import dataclass, field

from antidriftd.core.knowledge.model import Certainty, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """Something that happened; a title stands apart, since it is kept only if the person agreed."""

    at: float
    kind: Kind
    claim: str = field(repr=False)
    certainty: Certainty
    window_class: str = ""
    title: str = field(default="", repr=False)
    secs: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionBegan:
    """A session has started: here its evidence gets its destination, once and for all."""

    session_id: str
    label: str = field(repr=False)
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionNoticed:
    """Something happened in a session."""

    session_id: str
    found: tuple[Noticed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOver:
    """A session has ended: its evidence is sealed."""

    session_id: str
    found: tuple[Noticed, ...]
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReflected:
    """The person has said how a session went that is over."""

    session_id: str
    found: tuple[Noticed, ...]
    at: float


EvidenceStep = SessionBegan | SessionNoticed | SessionOver | SessionReflected

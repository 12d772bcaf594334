"""What the history is to be told, and how far it has been."""

from dataclasses import dataclass
from typing import Literal

from antidriftd.core.evidence import Bucket

AnswerKind = Literal["ontask", "offtask", "refocus"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded:
    """A session that is over; times are in seconds since 1970."""

    session_id: str
    intent: str
    next_action: str
    success_condition: str
    timebox_secs: int
    started: float
    ended: float
    planned_end: float
    """When it was to end, extensions and pauses included."""
    ontask_secs: float
    drift_secs: float
    unjudged_secs: float
    away_secs: float
    switches: int
    drift_episodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReviewed:
    """What was said of a session that is over."""

    session_id: str
    outcome: str
    """Empty when nothing was said."""
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A stretch of a session; `number` counts within the session, `began` from 1970.

    `switches` and `drift_episodes` are those that happened in it.
    """

    session_id: str
    number: int
    began: float
    secs: float
    window_class: str
    title: str
    bucket: Bucket
    switches: int
    drift_episodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictGiven:
    """What a judge said of a window; `on_task` is None when it couldn't tell.

    In the `shadow` nobody was interrupted because of it.
    """

    session_id: str
    at: float
    window_class: str
    title: str
    on_task: bool | None
    reason: str
    shadow: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGiven:
    """What the person said of a window, and what they say led them there.

    `page` tells the pages of a many-faced program apart, and mostly is a hash.
    """

    session_id: str
    at: float
    kind: AnswerKind
    window_class: str
    title: str
    cause: str
    page: str = ""


Record = SessionEnded | SessionReviewed | Interval | VerdictGiven | AnswerGiven


@dataclass(frozen=True, slots=True)
class Entry:
    """A record with the number it has among all that this state directory ever wrote.

    By its number, an entry that is written twice is there once.
    """

    number: int
    record: Record


@dataclass(frozen=True, kw_only=True)
class Recording:
    """Entries wait here until the history has them; so they are in each snapshot meanwhile."""

    waiting: tuple[Entry, ...] = ()
    next_number: int = 1
    on_disk: int = 0
    """Up to which entry a snapshot is on disk."""
    writing: int = 0
    """Up to which entry the history is being told; 0 while it isn't."""
    attempts: int = 0
    retry_at: float | None = None
    """When a history that failed is tried again (`mono`)."""

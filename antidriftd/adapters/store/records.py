"""The snapshot's contents on disk: schema 2, and what schema 1 had besides."""

from datetime import datetime
from typing import Annotated, Final, Literal

import msgspec

from antidriftd.core.evidence import Bucket
from antidriftd.core.model import AllowanceKind
from antidriftd.core.presence_state import AwayReason
from antidriftd.core.recording_state import (
    AnswerGiven,
    Interval,
    SessionEnded,
    SessionReviewed,
    VerdictGiven,
)
from antidriftd.core.state import Told

SCHEMA: Final = 2


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the snapshot. Times are UTC; what else is counted in seconds is said so."""


class MomentRecord(Record, frozen=True):
    """A moment: the wall clock, and the two counters that belong to `boot_id`."""

    utc: datetime
    boot_secs: float
    mono_secs: float


class ClassRecord(Record, frozen=True):
    """Seconds in one window class."""

    window_class: str
    bucket: Bucket
    secs: float


class EvidenceRecord(Record, frozen=True):
    """The totals of a session."""

    as_of: MomentRecord
    ontask_secs: float
    drift_secs: float
    unjudged_secs: float
    away_secs: float
    switches: int
    episodes: int
    last_class: str | None
    by_class: list[ClassRecord]


class SpanRecord(Record, frozen=True):
    """A stretch of the session that the history doesn't have yet."""

    began_at: datetime
    secs: float
    window_class: str
    title: str
    bucket: Bucket
    switches: int
    episodes: int


class AbsenceRecord(Record, frozen=True):
    """The last absence."""

    reason: AwayReason
    since: datetime
    secs: float
    added: bool


class EntryRecord(Record, frozen=True, omit_defaults=True):
    """What waits for the history: one of these. Times in it are in seconds since 1970."""

    number: int
    session: SessionEnded | None = None
    review: SessionReviewed | None = None
    interval: Interval | None = None
    verdict: VerdictGiven | None = None
    answer: AnswerGiven | None = None


class KeyRecord(Record, frozen=True):
    """A program, or one page of it."""

    program: str
    page: str | None


class AllowanceRecord(Record, frozen=True):
    """One entry of the allowed context."""

    kind: AllowanceKind
    value: str


class SessionRecord(Record, frozen=True):
    """A session, running or over."""

    session_id: str
    intent: str
    next_action: str
    success_condition: str
    timebox_secs: int
    allowed: list[AllowanceRecord]
    started_at: datetime
    ends_at: datetime
    stale: bool
    evidence: EvidenceRecord
    spans: list[SpanRecord] = []
    told: Told = Told()
    condemned: list[KeyRecord] = []
    paused_at: datetime | None = None
    reminded: bool = False
    absence: AbsenceRecord | None = None


class ReviewRecord(Record, frozen=True):
    """The last session that was reviewed; schema 1 had no history to put it in."""

    session: SessionRecord
    ended_at: datetime
    outcome: Literal["done", "partial", "dropped"] | None
    note: str


class ProposalRecord(Record, frozen=True):
    """What the coach proposed, while it is neither taken nor replaced."""

    next_action: str
    success_condition: str
    timebox_secs: int
    allowed_window_classes: list[str]


class DisplayRecord(Record, frozen=True):
    """An X display that a client offered."""

    name: str
    xauthority: str
    session_type: str


class Body(Record, frozen=True):
    """Everything that is kept."""

    revision: Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
    boot_id: str
    runtime: Literal["idle", "planning", "active", "review"]
    intent: str = ""
    proposal: ProposalRecord | None = None
    session: SessionRecord | None = None
    ended_at: datetime | None = None
    display: DisplayRecord | None = None
    last_review: ReviewRecord | None = None
    history: list[EntryRecord] = []
    next_entry: int = 1


class Envelope(msgspec.Struct, frozen=True):
    """The file: `crc32` is over the body's bytes, so that a flipped bit is no news."""

    schema: int
    crc32: int
    body: msgspec.Raw


class SchemaOnly(msgspec.Struct, frozen=True):
    """What a file of any version says."""

    schema: int

"""A session that is over, as an export carries it and as a report counts it."""

from datetime import UTC, datetime
from typing import Annotated, Final, Literal

import msgspec

Status = Literal["ontask", "drift", "unjudged", "away"]
STATUSES: Final[tuple[Status, ...]] = ("ontask", "drift", "unjudged", "away")

Secs = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Instant = Annotated[datetime, msgspec.Meta(tz=True)]

_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST: Final = datetime(2200, 1, 1, tzinfo=UTC)


class Part(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A part of what is told of a session; what is empty is left out."""


class ClassTime(Part, frozen=True, kw_only=True, rename={"window_class": "class"}):
    """Seconds spent in one window class under one status."""

    window_class: str = ""
    status: Status
    secs: Secs


class SlotTime(Part, frozen=True, kw_only=True):
    """Seconds spent under one status in the quarter of an hour that begins at `began`.

    The zones of the world are whole quarters apart, so that each can count its own hours.
    """

    began: Instant
    status: Status
    secs: Secs

    def __post_init__(self) -> None:
        """Refuse a moment that no calendar here can show."""
        _check(self.began)


class Answer(Part, frozen=True, kw_only=True, rename={"window_class": "class"}):
    """What the person said of a window, and what they say led them there.

    `kind` is the verb they used; a later version may have more of them.
    """

    at: Instant
    kind: str
    window_class: str = ""
    title: str = ""
    cause: str = ""


class Interval(Part, frozen=True, kw_only=True, rename={"window_class": "class"}):
    """A stretch of a session under one window and one status."""

    began: Instant
    secs: Secs
    window_class: str = ""
    title: str = ""
    status: Status
    switches: int = 0
    drift_episodes: int = 0


class Verdict(Part, frozen=True, kw_only=True, rename={"window_class": "class"}):
    """What a judge said of a window; `on_task` is None when it couldn't tell."""

    at: Instant
    window_class: str = ""
    title: str = ""
    on_task: bool | None
    reason: str = ""


class PastSession(Part, frozen=True, kw_only=True):
    """A session with its totals; the four of them make its length.

    `host` is the random id of the state directory that it comes from. `planned_end` is when it was
    to end, extensions and pauses included; `ended` when it did.
    """

    session_id: str
    host: str
    intent: str = ""
    next_action: str
    success_condition: str = ""
    timebox_secs: Count
    started: Instant
    ended: Instant
    planned_end: Instant
    ontask_secs: Secs
    drift_secs: Secs
    unjudged_secs: Secs
    away_secs: Secs
    switches: Count
    drift_episodes: Count
    outcome: Literal["", "done", "partial", "dropped"] = ""
    note: str = ""
    by_class: tuple[ClassTime, ...] = ()
    by_slot: tuple[SlotTime, ...] = ()
    answers: tuple[Answer, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a moment that no calendar here can show."""
        for moment in (self.started, self.ended, self.planned_end):
            _check(moment)

    @property
    def length_secs(self) -> float:
        """How long it took, without the time after it was left behind."""
        return self.ontask_secs + self.drift_secs + self.unjudged_secs + self.away_secs


class DetailedSession(PastSession, frozen=True, kw_only=True):
    """A session with every stretch of it, and what was said of its windows."""

    intervals: tuple[Interval, ...] = ()
    verdicts: tuple[Verdict, ...] = ()


def _check(moment: datetime) -> None:
    if not _FIRST <= moment < _LAST:
        raise ValueError("a moment from 1970 to 2200 is expected")

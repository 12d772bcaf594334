"""Everything that can happen: commands (asked for by a user) and observations (noticed)."""

from dataclasses import dataclass
from typing import Literal

from antidriftd.core.model import Display, SensorHealth, Verdict, Window

Outcome = Literal["done", "partial", "dropped"]


@dataclass(frozen=True, slots=True)
class EnterPlanning:
    """`plan`."""

    intent: str | None = None


@dataclass(frozen=True, slots=True)
class CancelPlanning:
    """`cancel`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSession:
    """`start`; what is None comes from the plan."""

    session_id: str
    next_action: str | None = None
    success_condition: str | None = None
    timebox_secs: int | None = None
    allowed_window_classes: tuple[str, ...] | None = None
    allowed_window_titles: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class AllowContext:
    """`ontask`; without a name it answers what drifted."""

    window_class: str | None = None
    window_title: str | None = None


@dataclass(frozen=True, slots=True)
class DisallowContext:
    """`disallow`; without a name it takes back the last allowance."""

    window_class: str | None = None
    window_title: str | None = None


@dataclass(frozen=True, slots=True)
class Refocus:
    """`refocus`."""


@dataclass(frozen=True, slots=True)
class ExtendSession:
    """`extend`."""

    secs: int


@dataclass(frozen=True, slots=True)
class CompleteSession:
    """`complete`."""


@dataclass(frozen=True, slots=True)
class CloseReview:
    """`review`."""

    outcome: Outcome | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class OfferDisplay:
    """`display`."""

    display: Display


@dataclass(frozen=True, slots=True)
class WindowFocused:
    """Another window, or another title, is in front; None when no window is."""

    window: Window | None


@dataclass(frozen=True, slots=True)
class SensorChanged:
    """The sensor came, went, or has something else to say."""

    health: SensorHealth


@dataclass(frozen=True, slots=True)
class JudgmentReturned:
    """The judge answered."""

    question_id: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class JudgmentFailed:
    """The judge gave no usable answer."""

    question_id: int
    detail: str


@dataclass(frozen=True, slots=True)
class SnapshotSaved:
    """Everything up to this revision is on disk."""

    revision: int


@dataclass(frozen=True, slots=True)
class SnapshotFailed:
    """This revision could not be written."""

    revision: int
    detail: str


@dataclass(frozen=True, slots=True)
class TimeElapsed:
    """A deadline has come."""


SessionCommand = AllowContext | DisallowContext | Refocus | ExtendSession | CompleteSession
Command = (
    EnterPlanning | CancelPlanning | StartSession | SessionCommand | CloseReview | OfferDisplay
)
Observation = (
    WindowFocused
    | SensorChanged
    | JudgmentReturned
    | JudgmentFailed
    | SnapshotSaved
    | SnapshotFailed
    | TimeElapsed
)
Event = Command | Observation

"""What a user can ask for."""

from dataclasses import dataclass
from typing import Literal

from antidriftd.core.model import Display

Outcome = Literal["done", "partial", "dropped"]


@dataclass(frozen=True, slots=True)
class EnterPlanning:
    """`plan`; a task's title is its intent."""

    intent: str | None = None
    task_id: str | None = None


@dataclass(frozen=True, slots=True)
class RequestCoach:
    """`coach`; plans first when an intent is given."""

    intent: str | None = None


@dataclass(frozen=True, slots=True)
class FetchTasks:
    """`tasks`."""


@dataclass(frozen=True, slots=True)
class SelectProfile:
    """`knowledge_path`; an empty path is the default."""

    path: str


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
class CondemnContext:
    """`offtask`: what an answer is about is no part of the task, for the rest of the session."""


@dataclass(frozen=True, slots=True)
class DisallowContext:
    """`disallow`; without a name it takes back the last allowance."""

    window_class: str | None = None
    window_title: str | None = None


@dataclass(frozen=True, slots=True)
class Refocus:
    """`refocus`; `because` is what led the person away, in their words."""

    because: str | None = None


@dataclass(frozen=True, slots=True)
class ExtendSession:
    """`extend`; `away` adds the length of the last absence, once."""

    secs: int = 0
    away: bool = False


@dataclass(frozen=True, slots=True)
class PauseSession:
    """`pause`."""


@dataclass(frozen=True, slots=True)
class ResumeSession:
    """`resume`."""


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


SessionCommand = (
    AllowContext
    | CondemnContext
    | DisallowContext
    | Refocus
    | ExtendSession
    | PauseSession
    | ResumeSession
    | CompleteSession
)
PlanningCommand = EnterPlanning | RequestCoach | FetchTasks | SelectProfile | CancelPlanning
Command = PlanningCommand | StartSession | SessionCommand | CloseReview | OfferDisplay

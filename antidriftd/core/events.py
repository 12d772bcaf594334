"""Everything that can happen: commands (asked for by a user) and observations (noticed)."""

from dataclasses import dataclass
from typing import Literal

from antidriftd.core.custody_state import CustodyChanged
from antidriftd.core.model import (
    Display,
    HookName,
    Profile,
    Proposal,
    SensorHealth,
    Task,
    Verdict,
    Window,
)

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

    request: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class JudgmentFailed:
    """The judge gave no usable answer."""

    request: int
    detail: str


@dataclass(frozen=True, slots=True)
class CoachReturned:
    """The coach has a proposal."""

    request: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class CoachFailed:
    """The coach gave no usable answer."""

    request: int
    detail: str


@dataclass(frozen=True, slots=True)
class ProfileLoaded:
    """The profile was read, or there is none."""

    request: int
    profile: Profile


@dataclass(frozen=True, slots=True)
class ProfileFailed:
    """The profile is there and can't be read."""

    request: int
    path: str
    code: str = ""
    """What could not be established of a node that was named."""


@dataclass(frozen=True, slots=True)
class TasksFetched:
    """The task list answered."""

    request: int
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class TasksFailed:
    """The tasks can't be had."""

    request: int
    detail: str


@dataclass(frozen=True, slots=True)
class NudgeReturned:
    """The nudger has something to say; an empty text is nothing."""

    request: int
    text: str


@dataclass(frozen=True, slots=True)
class NudgeFailed:
    """The nudger gave no usable answer."""

    request: int
    detail: str


@dataclass(frozen=True, slots=True)
class InputSeen:
    """How long ago somebody last touched a key or the mouse; None when nothing tells it."""

    idle_secs: float | None


@dataclass(frozen=True, slots=True)
class ScreenLocked:
    """The screen is locked, or open again."""

    locked: bool


@dataclass(frozen=True, slots=True)
class MachineSleeps:
    """The machine is about to sleep, or has woken up."""

    asleep: bool


@dataclass(frozen=True, slots=True)
class SnapshotSaved:
    """Everything up to this revision is on disk, and what waits for the history up to a number."""

    revision: int
    entries_to: int = 0


@dataclass(frozen=True, slots=True)
class SnapshotFailed:
    """This revision could not be written."""

    revision: int
    detail: str


@dataclass(frozen=True, slots=True)
class HistoryWritten:
    """The history has all entries up to this number."""

    number: int
    trouble: str = ""
    """What of an earlier history could not be read, and where it was put."""


@dataclass(frozen=True, slots=True)
class HistoryFailed:
    """The history could not be written."""

    detail: str


@dataclass(frozen=True, slots=True)
class HookEnded:
    """A hook has run; an empty detail says that it went well."""

    hook: HookName
    detail: str = ""


@dataclass(frozen=True, slots=True)
class TimeElapsed:
    """A deadline has come."""


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
PlanningAnswer = (
    CoachReturned | CoachFailed | ProfileLoaded | ProfileFailed | TasksFetched | TasksFailed
)
Answer = JudgmentReturned | JudgmentFailed | NudgeReturned | NudgeFailed | PlanningAnswer
WorkDone = (
    SnapshotSaved | SnapshotFailed | HistoryWritten | HistoryFailed | HookEnded | CustodyChanged
)
Observation = (
    WindowFocused
    | SensorChanged
    | InputSeen
    | ScreenLocked
    | MachineSleeps
    | Answer
    | WorkDone
    | TimeElapsed
)
Event = Command | Observation

"""What can be noticed: by a sensor, by the desktop, and when work is done."""

from dataclasses import dataclass

from antidriftd.core.custody_state import CustodyChanged
from antidriftd.core.model import HookName, Profile, Proposal, SensorHealth, Task, Verdict, Window


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

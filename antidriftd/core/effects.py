"""What the core wants done; the shell does it and reports back with events."""

from dataclasses import dataclass, field

from antidriftd.core.knowledge.steps import EvidenceStep
from antidriftd.core.model import Commitment, Digest, Display, HookName, Notification, Window
from antidriftd.core.recording_state import Entry
from antidriftd.core.state import State


@dataclass(frozen=True, slots=True)
class SaveSnapshot:
    """Write the newest state to disk; answered by SnapshotSaved or SnapshotFailed."""


@dataclass(frozen=True, slots=True)
class AskJudge:
    """Have a window judged; answered by JudgmentReturned or JudgmentFailed."""

    request: int
    commitment: Commitment
    window: Window


@dataclass(frozen=True, slots=True)
class AskCoach:
    """Have an intent made into a proposal; answered by CoachReturned or CoachFailed."""

    request: int
    intent: str
    grounding: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AskNudger:
    """Ask for a line on how the session goes; answered by NudgeReturned or NudgeFailed."""

    request: int
    commitment: Commitment
    digest: Digest


@dataclass(frozen=True, slots=True)
class LoadProfile:
    """Read the profile; answered by ProfileLoaded or ProfileFailed."""

    request: int
    path: str


@dataclass(frozen=True, slots=True)
class FetchTaskList:
    """Get today's tasks; answered by TasksFetched or TasksFailed."""

    request: int


Request = AskJudge | AskCoach | AskNudger | LoadProfile | FetchTaskList


@dataclass(frozen=True, slots=True)
class EndRequest:
    """End what works on this request; its answer is wanted no more."""

    request: int


@dataclass(frozen=True, slots=True)
class UseDisplay:
    """Hand an X display to the sensor."""

    display: Display


@dataclass(frozen=True, slots=True)
class ShowNotification:
    """Tell the person on their desktop, in place of what they were told before."""

    notification: Notification


@dataclass(frozen=True, slots=True)
class WithdrawNotification:
    """Take back what the person was told on their desktop."""


@dataclass(frozen=True, slots=True)
class RunHook:
    """Run the user's own program for something that led to `state`; answered by HookEnded."""

    hook: HookName
    state: State = field(repr=False)


@dataclass(frozen=True, slots=True)
class WriteHistory:
    """Write these to the history, all or none; answered by HistoryWritten or HistoryFailed."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class KeepEvidence:
    """Keep what a session shows, as far as the person wants it kept; nothing answers."""

    step: EvidenceStep


Effect = (
    SaveSnapshot
    | WriteHistory
    | Request
    | EndRequest
    | UseDisplay
    | ShowNotification
    | WithdrawNotification
    | RunHook
    | KeepEvidence
)

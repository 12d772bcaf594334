"""The state of the whole daemon: one immutable value."""

from dataclasses import dataclass, field
from typing import Literal

from antidriftd.core.custody_state import CustodyStatus
from antidriftd.core.drift.page_key import Key
from antidriftd.core.drift.sight import Sight
from antidriftd.core.drift.state import Budget, Drift
from antidriftd.core.evidence import Evidence
from antidriftd.core.ledger import Span
from antidriftd.core.model import Allowance, Commitment, Display, SensorHealth, Window
from antidriftd.core.notified import Notified
from antidriftd.core.nudge_state import Nudge
from antidriftd.core.planning_state import Coaching, Grounding, TaskList
from antidriftd.core.presence_state import Absence, Away, Presence
from antidriftd.core.recording_state import Recording
from antidriftd.core.rules import Rules

PhaseName = Literal["idle", "planning", "active", "review"]


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing is planned."""

    name: PhaseName = field(default="idle", init=False)


@dataclass(frozen=True)
class Planning:
    """The person is making up their mind."""

    intent: str = ""
    coaching: Coaching = Coaching()
    name: PhaseName = field(default="planning", init=False)


@dataclass(frozen=True, slots=True)
class Told:
    """How much of a session the history was given: how many spans, with what happened in them."""

    intervals: int = 0
    switches: int = 0
    episodes: int = 0


@dataclass(frozen=True, kw_only=True)
class Session:
    """What was agreed and how it went; times are on the boot clock."""

    session_id: str
    intent: str
    commitment: Commitment
    allowances: tuple[Allowance, ...]
    started: float
    ends: float
    evidence: Evidence
    spans: tuple[Span, ...] = ()
    """What of the session's time isn't in the history yet, oldest first."""
    told: Told = Told()
    condemned: tuple[Key, ...] = ()
    """What the person said is no part of the task."""


@dataclass(frozen=True)
class Active:
    """A session is running; while `stale`, it is neither judged nor counted."""

    session: Session
    drift: Drift = Drift()
    front: Sight | None = None
    """What the rules see of the window in front."""
    stale: bool = False
    nudge: Nudge = Nudge()
    away: Away | None = None
    """While somebody is away, nothing is judged and all time is an absence."""
    absence: Absence | None = None
    """The last one that is over."""
    name: PhaseName = field(default="active", init=False)

    @property
    def pause(self) -> Away | None:
        """The absence that goes on, if the person began it by hand."""
        return self.away if self.away is not None and self.away.reason == "paused" else None


@dataclass(frozen=True)
class Review:
    """A session has ended and waits for a word about it."""

    session: Session
    episodes: int
    ended: float
    stale: bool = False
    name: PhaseName = field(default="review", init=False)


Phase = Idle | Planning | Active | Review


@dataclass(frozen=True)
class Notice:
    """One line that every surface shows.

    One about a condition goes with it. One about an event goes at the next start of a session,
    once a command's reply has told it.
    """

    topic: str
    text: str
    is_event: bool
    told: bool = False


@dataclass(frozen=True)
class Saving:
    """How far the disk has followed."""

    commanded: int = 0
    """The revision of the last command."""
    saved: int = 0
    failed: int = 0
    attempts: int = 0
    retry_at: float | None = None
    checkpoint_at: float = 0.0
    """When the evidence of a running session is next written (`mono`)."""

    @property
    def settled(self) -> bool:
        """Whether the last command's save has succeeded or failed."""
        return self.commanded <= max(self.saved, self.failed)

    @property
    def durable(self) -> bool:
        """Whether every command is on disk."""
        return self.commanded <= self.saved


@dataclass(frozen=True, kw_only=True)
class State:
    """Everything the daemon knows."""

    rules: Rules
    revision: int
    sensor: SensorHealth
    utc_offset: float
    """The wall clock minus the boot clock; replaced when the wall clock steps."""
    phase: Phase = Idle()
    window: Window | None = None
    window_since: float = 0.0
    blank_at: float | None = None
    """When "no window" will have lasted long enough to be believed (`mono`)."""
    seen_classes: tuple[str, ...] = ()
    """Programs that were in front lately, newest first: what a start can offer to allow."""
    display: Display | None = None
    notices: tuple[Notice, ...] = ()
    saving: Saving = Saving()
    budget: Budget = Budget()
    commanded_at: float = float("-inf")
    next_request: int = 1
    """The id of the next question, fetch or load; never used again while the daemon runs."""
    grounding: Grounding = Grounding()
    profile_path: str = ""
    """The profile that was chosen for this run; empty is the default."""
    tasks: TaskList = TaskList()
    notified: Notified = Notified()
    presence: Presence = Presence()
    recording: Recording = Recording()
    custody: CustodyStatus = CustodyStatus()

"""What the drift pipeline remembers during one session."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from antidriftd.core.drift.page_key import Key
from antidriftd.core.model import Verdict, Window

DriftStatus = Literal["idle", "pending", "ontask", "drifting"]


@dataclass(frozen=True, slots=True)
class Question:
    """One judgment under way; its id is never used again while the daemon runs."""

    id: int
    key: Key
    window: Window


@dataclass(frozen=True)
class OpenDrift:
    """The last unanswered drift; `since` counts on the boot clock."""

    key: Key
    window: Window
    reason: str
    since: float
    ontask_secs: float = 0.0


@dataclass(frozen=True, slots=True)
class Seen:
    """A window that outlasted the dwell, and when it left the front (`mono`)."""

    key: Key
    window: Window
    left: float


@dataclass(frozen=True, slots=True)
class Ruled:
    """What spoke last of a window, and how; `at` is on the boot clock.

    `key` finds the judgment behind a verdict. `on_task` is None when the judge couldn't tell, or
    gave no answer.
    """

    by: Literal["allowed", "condemned", "cache", "judge"]
    window: Window
    on_task: bool | None
    reason: str
    at: float
    key: Key | None = None


@dataclass(frozen=True, kw_only=True)
class Drift:
    """The pipeline's memory; a session starts and ends with a new one.

    Times are on the `mono` clock, but for `since`, which is on the boot clock.
    """

    status: DriftStatus = "idle"
    reason: str = ""
    since: float = 0.0
    open: OpenDrift | None = None
    episodes: int = 0
    key: Key | None = None
    key_since: float = 0.0
    program_since: float = 0.0
    unsettled_since: float = 0.0
    """Since when no key of the program in front has outlasted the dwell."""
    cache: Mapping[Key, Verdict] = field(default_factory=dict)
    held: Mapping[Key, float] = field(default_factory=dict)
    """Until when a key is left alone: after a failure, after "can't tell", after `refocus`."""
    question: Question | None = None
    recent: tuple[Seen, ...] = ()
    last: Ruled | None = None
    wake_at: float | None = None
    """When a rule that holds something back now will no longer do so."""


@dataclass(frozen=True)
class Budget:
    """What asking the judge has cost so far; outlives the session, so that no loop escapes it."""

    begun: tuple[float, ...] = ()
    """When the judgments of the past hour began, oldest first."""
    last_begun: float | None = None
    failures: int = 0
    retry_at: float = 0.0

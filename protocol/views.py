"""What the daemon shows of itself: the State and the Info, as they cross the wire.

Optional members are left out when they are empty. A reader ignores members that it doesn't know,
so that a newer daemon doesn't break an older client. Times are RFC 3339 in UTC.
"""

from datetime import datetime
from typing import Annotated, Literal

import msgspec

Runtime = Literal["idle", "planning", "active", "review"]
DriftStatus = Literal["idle", "pending", "ontask", "drifting"]
EvidenceStatus = Literal["ontask", "drift", "unjudged", "away"]
SensorStatus = Literal["ok", "unavailable"]
AwayReason = Literal["idle", "locked", "asleep", "paused"]
Instant = Annotated[datetime, msgspec.Meta(tz=True)]


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of what the daemon shows."""


class Subject(View, frozen=True, kw_only=True, rename={"window_class": "class"}):
    """The window that a verdict is about."""

    window_class: str
    title: str


class Commitment(View, frozen=True, kw_only=True):
    """What the person set out to do; `stale` once the session has been left behind.

    Since `paused_at` the time stands still: `ends_at` moves when the session goes on. `off_task` is
    what the person called so, programs or their pages, in small letters, as they are compared.
    """

    next_action: str
    success_condition: str
    timebox_secs: int
    started_at: Instant
    ends_at: Instant
    allowed_window_classes: tuple[str, ...]
    allowed_window_titles: tuple[str, ...]
    off_task: tuple[Subject, ...] = ()
    stale: bool = False
    paused_at: Instant | None = None


class Window(View, frozen=True, kw_only=True, rename={"window_class": "class"}):
    """The window in front, and since when."""

    window_class: str
    instance: str = ""
    title: str
    since: Instant


class OpenDrift(View, frozen=True, kw_only=True):
    """The last drift that nobody has answered yet."""

    subject: Subject
    reason: str
    since: Instant


class Drift(View, frozen=True, kw_only=True, rename={"open_drift": "open"}):
    """What is held of the window in front, and the open drift."""

    status: DriftStatus
    reason: str = ""
    subject: Subject | None = None
    since: Instant | None = None
    open_drift: OpenDrift | None = None


class ClassEvidence(View, frozen=True, kw_only=True, rename={"window_class": "class"}):
    """Seconds spent in one window class under one status."""

    window_class: str
    status: EvidenceStatus
    secs: float


class Away(View, frozen=True, kw_only=True):
    """Nobody is there: why, and since when. Nothing is judged meanwhile."""

    reason: AwayReason
    since: Instant


class Absence(View, frozen=True, kw_only=True):
    """The last time that nobody was there; it can be added to the timebox once."""

    reason: AwayReason
    since: Instant
    secs: float
    added: bool = False


class Evidence(View, frozen=True, kw_only=True):
    """Where the session's time went, counted up to `as_of`; the four sums make its length."""

    as_of: Instant
    ontask_secs: float
    drift_secs: float
    unjudged_secs: float
    away_secs: float
    switches: int
    drift_episodes: int
    by_class: tuple[ClassEvidence, ...]


class Proposal(View, frozen=True, kw_only=True):
    """What the coach makes of the intent."""

    next_action: str
    success_condition: str
    timebox_secs: int
    allowed_window_classes: tuple[str, ...]


class Coach(View, frozen=True, kw_only=True):
    """Whether the coach was asked, and what it said; `backend` is who proposes."""

    status: Literal["idle", "pending", "ready", "error"]
    error: str = ""
    backend: str = ""
    proposal: Proposal | None = None


class Knowledge(View, frozen=True, kw_only=True):
    """Whether a profile grounds the coach; its text is never shown, only how long it is."""

    status: Literal["idle", "pending", "ready", "absent", "error"]
    path: str = ""
    chars: int = 0
    code: str = ""


class TaskItem(View, frozen=True, kw_only=True):
    """One task; `source` and `id` together name it."""

    id: str
    title: str
    source: str


class Tasks(View, frozen=True, kw_only=True):
    """Today's tasks."""

    status: Literal["idle", "pending", "ready", "empty", "error"]
    error: str = ""
    items: tuple[TaskItem, ...] = ()


class Nudge(View, frozen=True, kw_only=True):
    """A line about how the session goes."""

    text: str
    at: Instant


class Learning(View, frozen=True, kw_only=True):
    """How learning stands, in counts and codes; left out while nothing is bound."""

    capture: Literal["off", "on", "blocked", "held"] = "off"
    code: str = ""
    pending: int = 0
    judging: int = 0
    proposed: int = 0
    held: int = 0


class Sensor(View, frozen=True, kw_only=True):
    """Whether windows can be seen, and if not, why."""

    name: str
    status: SensorStatus
    detail: str = ""


class State(View, frozen=True, kw_only=True):
    """All that a surface needs to show; `revision` rises with every change."""

    revision: int
    durable: bool
    runtime: Runtime
    intent: str = ""
    commitment: Commitment | None = None
    window: Window | None = None
    drift: Drift | None = None
    away: Away | None = None
    absence: Absence | None = None
    evidence: Evidence | None = None
    coach: Coach | None = None
    knowledge: Knowledge | None = None
    tasks: Tasks | None = None
    nudge: Nudge | None = None
    harvest: Learning | None = None
    sensor: Sensor
    notices: tuple[str, ...] = ()


class Info(View, frozen=True, kw_only=True):
    """What this daemon is and where its files lie."""

    version: str
    protocol: int
    pid: int
    socket: str
    state_dir: str
    sensor: str
    ai: str
    knowledge_path: str = ""
    seen_classes: tuple[str, ...] = ()
    started_at: Instant


class Why(View, frozen=True, kw_only=True):
    """How the last verdict came about, or with `preview` what a judge would be sent.

    `sent` is exactly the text that the backend's program gets on standard input; it is empty when
    nothing is sent.
    """

    rule: Literal["none", "allowed", "condemned", "cache", "judge", "preview"]
    subject: Subject | None = None
    on_task: bool | None = None
    reason: str = ""
    at: Instant | None = None
    allowance: str = ""
    backend: str = ""
    took_secs: float | None = None
    sent: str = ""
    error: str = ""


class Lesson(View, frozen=True, kw_only=True, rename={"window_class": "class"}):
    """What answers of the person taught of a window, under one kind of commitment.

    `is_page` says that it is about one page of a program; `page` is there if titles are kept.
    `hint` is what it says to the judge now, left out while it is too little or too old.
    """

    number: int
    kind: str
    window_class: str
    is_page: bool = False
    page: str = ""
    ontask: int
    offtask: int
    sessions: int
    since: Instant
    hint: Literal["", "ontask", "offtask"] = ""


class Learned(View, frozen=True, kw_only=True):
    """What was learned, the first at the top; `more` older ones are not told."""

    lessons: tuple[Lesson, ...]
    more: int = 0


class Setting(View, frozen=True, kw_only=True):
    """A setting in force, as config.toml would give it, and where it came from.

    `source` is `default`, `flag`, the name of an environment variable, or the path of config.toml.
    """

    key: str
    value: bool | int | float | str | tuple[str, ...]
    source: str


class Config(View, frozen=True, kw_only=True):
    """The settings in force; `path` is that of config.toml, which need not exist."""

    path: str
    settings: tuple[Setting, ...]


class Finding(View, frozen=True, kw_only=True):
    """What the daemon found when it looked at one part of itself, and what helps."""

    name: str
    status: Literal["ok", "warning", "failed"]
    detail: str
    remedy: str = ""


class Diagnosis(View, frozen=True, kw_only=True):
    """What the daemon found when it looked at itself."""

    findings: tuple[Finding, ...]

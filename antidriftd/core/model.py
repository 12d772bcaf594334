"""The values the daemon talks about: moments, windows, commitments, verdicts."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple


@dataclass(frozen=True)
class Moment:
    """One reading of the three clocks, in seconds.

    `mono` stands still during suspend (dwell, debounce, time-outs), `boot` counts through it
    (a session's time), `utc` is the wall clock since 1970 (what people and files see). Local time
    is `zone_secs` ahead of `utc`.
    """

    mono: float
    boot: float
    utc: float
    zone_secs: float = 0.0


class Window(NamedTuple):
    """A window as a sensor saw it; any text may be empty."""

    window_class: str
    title: str
    instance: str = ""


@dataclass(frozen=True, slots=True)
class Display:
    """An X display that a client offered."""

    name: str
    xauthority: str = ""
    session_type: str = ""


@dataclass(frozen=True, slots=True)
class SensorHealth:
    """Whether windows can be seen, and by what; `detail` is for a person to read."""

    name: str
    ok: bool
    detail: str = ""
    takes_display: bool = False
    """True while the sensor has no working display and would use an offered one."""
    is_wayland: bool = False
    """True when no window will be seen in this session, as it is one of Wayland."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """What the person set out to do."""

    next_action: str
    success_condition: str
    timebox_secs: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of one window; `on_task` is None when it can't tell."""

    on_task: bool | None
    reason: str


AllowanceKind = Literal["class", "title"]


@dataclass(frozen=True, slots=True)
class Allowance:
    """One entry of the allowed context: a window class, or a title's substring or `=page`."""

    kind: AllowanceKind
    value: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the coach makes of an intent."""

    next_action: str
    success_condition: str
    timebox_secs: int
    allowed_window_classes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Digest:
    """How a running session goes, in a few numbers; `classes` are the largest, in seconds."""

    elapsed_secs: float
    remaining_secs: float
    ontask_secs: float
    drift_secs: float
    switches: int
    drift_episodes: int
    classes: tuple[tuple[str, float], ...] = ()


NotificationSubject = Literal["drift", "timebox", "pause"]


@dataclass(frozen=True, kw_only=True)
class Notification:
    """What a person is told on their desktop: a drift, the end of the time, or a long pause.

    `window` and `reason` are of the drift. The id is never used again while the daemon runs, but a
    repeated notification keeps it.
    """

    id: int
    about: NotificationSubject
    next_action: str
    window: Window | None = None
    reason: str = ""


NotificationChoice = Literal["refocus", "ontask", "complete", "extend", "resume"]
"""What can be chosen in a notification; `extend` is by five minutes."""

HookName = Literal["on_start", "on_drift", "on_refocus", "on_ontask", "on_complete"]


@dataclass(frozen=True, slots=True)
class Task:
    """Something that a task list holds; `source` and `id` together name it."""

    id: str
    title: str
    source: str


@dataclass(frozen=True, slots=True)
class Profile:
    """Who the person is, in their own words; an empty text means that there is none."""

    text: str = field(repr=False)
    path: str

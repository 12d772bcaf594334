"""The settings that decisions depend on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from antidriftd.core.model import HookName, Moment

_DAY_SECS = 86_400


@dataclass(frozen=True, slots=True)
class QuietHours:
    """A part of the day in local time, in seconds since midnight; it may lead past midnight."""

    begin: int
    end: int

    def wait_secs(self, now: Moment) -> float:
        """Return how long they go on; 0 outside of them."""
        of_day = (now.utc + now.zone_secs) % _DAY_SECS
        length = (self.end - self.begin) % _DAY_SECS
        passed = (of_day - self.begin) % _DAY_SECS
        return length - passed if passed < length else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the core is told once, at the start of the daemon. Names of programs are casefolded."""

    dwell_secs: float = 2.0
    debounce_secs: float = 10.0
    judgments_per_hour: int = 120
    has_judge: bool = False
    has_coach: bool = False
    coach_name: str = ""
    has_knowledge: bool = False
    has_tasks: bool = False
    has_nudger: bool = False
    nudge_every_secs: float = 300.0
    """Of a session's time; 0 is never."""
    judge_is_free: bool = False
    """True when a judgment costs nothing: no debounce, no budget, and no `pending` in between."""
    shadow: bool = False
    """Judges and records, and never says that anybody drifts."""
    many_faced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Programs that show many unrelated pages, each with its own names as they end a title."""
    browsers: frozenset[str] = frozenset()
    terminals: frozenset[str] = frozenset()
    neutral: frozenset[str] = frozenset()
    new_tabs: frozenset[str] = frozenset()
    """Normalised titles of a page with nothing on it yet."""
    notifies: bool = False
    notify_repeat_secs: float = 900.0
    """How long a drift goes on until it is told again; 0 is never."""
    notify_max_per_hour: int = 6
    quiet_hours: QuietHours | None = None
    idle_secs: float = 180.0
    """After so long without input, the person is away."""
    history_titles: Literal["off", "hash", "on"] = "off"
    title_key: bytes = b""
    """What titles are hashed with."""
    history_exclude: tuple[str, ...] = ()
    """Patterns with `*` and `?`, casefolded: a window whose class or title matches is kept nowhere.

    Only what the person says of one (`ontask`, `offtask`) is in the snapshot while the session
    lasts: an answer that was confirmed survives a crash.
    """
    keeps_evidence: bool = False
    """Whether somebody takes what sessions show; the bindings say what of it is kept."""
    hooks: frozenset[HookName] = frozenset()
    """What the user has a program for."""

"""The settings that decisions depend on."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the core is told once, at the start of the daemon. Names of programs are casefolded."""

    dwell_secs: float = 2.0
    debounce_secs: float = 10.0
    judgments_per_hour: int = 120
    has_judge: bool = False
    has_coach: bool = False
    has_knowledge: bool = False
    has_tasks: bool = False
    has_nudger: bool = False
    nudge_every_secs: float = 300.0
    """Of a session's time; 0 is never."""
    judge_is_free: bool = False
    """True when a judgment costs nothing: no debounce, no budget, and no `pending` in between."""
    many_faced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Programs that show many unrelated pages, each with its own names as they end a title."""
    browsers: frozenset[str] = frozenset()
    terminals: frozenset[str] = frozenset()
    neutral: frozenset[str] = frozenset()
    new_tabs: frozenset[str] = frozenset()
    """Normalised titles of a page with nothing on it yet."""

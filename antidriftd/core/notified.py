"""What the person was told on their desktop."""

from dataclasses import dataclass

from antidriftd.core.drift.page_key import Key
from antidriftd.core.model import Notification


@dataclass(frozen=True, kw_only=True)
class Notified:
    """Outlives the session, so that no loop of drifts escapes the hourly limit."""

    shown: Notification | None = None
    shown_at: float = 0.0
    """When it was last shown (`mono`); a repetition counts."""
    told_drift: tuple[Key, float] | None = None
    """The drift that was told last, by its page and beginning."""
    told_end: float | None = None
    """The end of a timebox that was told last (`boot`)."""
    told_pause: float | None = None
    """The beginning of a pause of which the person was reminded last (`boot`)."""
    counted: tuple[float, ...] = ()
    """When the drifts of the past hour were told (`mono`), oldest first."""
    next_id: int = 1

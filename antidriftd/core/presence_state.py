"""Whether the person is there."""

from dataclasses import dataclass
from typing import Literal

AwayReason = Literal["idle", "locked", "asleep", "paused"]


@dataclass(frozen=True)
class Presence:
    """What the desktop tells; `last_input` is on the boot clock, None while nothing tells it."""

    last_input: float | None = None
    touched: float | None = None
    """The same on `mono`, which stands still in suspend as the display's own clock does."""
    locked: bool = False
    asleep: bool = False
    """Whether the machine is about to sleep, or asleep."""


@dataclass(frozen=True)
class Away:
    """An absence that goes on; `since` is on the boot clock."""

    reason: AwayReason
    since: float
    reminded: bool = False
    """Whether a pause has been going on for so long that the person was told."""


@dataclass(frozen=True)
class Absence:
    """One that is over, and can be added to the timebox once."""

    reason: AwayReason
    since: float
    secs: float
    added: bool = False

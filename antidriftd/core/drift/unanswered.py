"""How the open drift is shown while something else may be in front."""

from typing import Literal

from antidriftd.core.drift.state import Drift

DROPPED_AFTER_SECS = 10.0
"""On task for so long since it opened, the prompt and the notification show it no more."""

_ROUNDING_SECS = 1e-3

OpenDriftLook = Literal["none", "open", "past"]


def look_of(drift: Drift) -> OpenDriftLook:
    """Return how a prompt shows the open drift: for ten seconds on task as past, then no more."""
    if drift.open is None:
        return "none"
    if drift.status != "ontask":
        return "open"
    dropped = drift.open.ontask_secs >= DROPPED_AFTER_SECS - _ROUNDING_SECS
    return "none" if dropped else "past"


def dropped_in_secs(drift: Drift) -> float | None:
    """Return how much more time on task it takes until it is shown no more; None if it isn't so."""
    if look_of(drift) != "past" or drift.open is None:
        return None
    return DROPPED_AFTER_SECS - drift.open.ontask_secs

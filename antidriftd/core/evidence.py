"""Evidence: how a session's time adds up."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from antidriftd.core.drift.state import DriftStatus
from antidriftd.core.model import Moment

Bucket = Literal["ontask", "drift", "unjudged", "away"]

MAX_CLASSES = 256
"""Entries of `by_class` kept; beyond it the smallest are merged under an empty class."""

_CLOCK_JITTER_SECS = 1.0
"""Two clocks are never read at the same instant; less than this apart they agree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Totals up to `as_of`; the four always add up to the session's length."""

    as_of: Moment
    ontask_secs: float = 0.0
    drift_secs: float = 0.0
    unjudged_secs: float = 0.0
    away_secs: float = 0.0
    switches: int = 0
    last_class: str | None = None
    """The class of the last window in front; None before the first, empty if it had none."""
    by_class: Mapping[tuple[str, Bucket], float] = field(default_factory=dict)


def length_secs(evidence: Evidence) -> float:
    """Return the session's length so far, stale time excluded."""
    return evidence.ontask_secs + evidence.drift_secs + evidence.unjudged_secs + evidence.away_secs


def asleep_secs(before: Moment, now: Moment) -> float:
    """Return how long the machine slept in between: the boot clock ran on, `mono` stood still."""
    gap = (now.boot - before.boot) - (now.mono - before.mono)
    return gap if gap > _CLOCK_JITTER_SECS else 0.0


def bucket_of(status: DriftStatus) -> Bucket:
    """Return where time under this status is counted."""
    match status:
        case "ontask":
            return "ontask"
        case "drifting":
            return "drift"
        case "idle" | "pending":
            return "unjudged"
        case _:
            assert_never(status)


def add(
    evidence: Evidence, spent: Mapping[Bucket, float], window_class: str, as_of: Moment
) -> Evidence:
    """Return the totals up to `as_of`, with the seconds that were `spent` since."""
    by_class = dict(evidence.by_class)
    for bucket, secs in spent.items():
        if secs > 0:
            by_class[window_class, bucket] = by_class.get((window_class, bucket), 0.0) + secs
        if len(by_class) > MAX_CLASSES:
            _merge_smallest(by_class)
    return replace(
        evidence,
        as_of=as_of,
        ontask_secs=evidence.ontask_secs + spent.get("ontask", 0.0),
        drift_secs=evidence.drift_secs + spent.get("drift", 0.0),
        unjudged_secs=evidence.unjudged_secs + spent.get("unjudged", 0.0),
        away_secs=evidence.away_secs + spent.get("away", 0.0),
        by_class=by_class,
    )


def _merge_smallest(by_class: dict[tuple[str, Bucket], float]) -> None:
    named = [key for key in by_class if key[0]]
    smallest = min(named, key=by_class.__getitem__)
    rest: tuple[str, Bucket] = ("", smallest[1])
    by_class[rest] = by_class.get(rest, 0.0) + by_class.pop(smallest)


def note_class(evidence: Evidence, window_class: str) -> Evidence:
    """Return the totals after a window of this class came to the front: a change is a switch."""
    if window_class == evidence.last_class:
        return evidence
    switched = evidence.last_class is not None
    return replace(evidence, last_class=window_class, switches=evidence.switches + switched)

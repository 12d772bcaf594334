"""Evidence: how a session's time adds up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, assert_never

from antidriftd.core.drift.state import DriftStatus
from antidriftd.core.model import Moment
from antidriftd.core.replacing import replace

Bucket = Literal["ontask", "drift", "unjudged", "away"]

MAX_CLASSES = 256
"""Entries of `by_class` kept; beyond it the smallest are merged under an empty class."""

_ROUNDING_SECS = 1e-6
_CLOCK_JITTER_SECS = 1.0
"""Two clocks are never read at the same instant; less than this apart they agree."""


@dataclass(frozen=True, kw_only=True)
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
    evidence: Evidence, secs: float, window_class: str, bucket: Bucket, as_of: Moment
) -> Evidence:
    """Return the totals up to `as_of`, with `secs` more; fewer than none are taken back."""
    by_class = dict(evidence.by_class)
    if secs:
        # Of a class that was merged, time is taken back from what it was merged into.
        key = (window_class, bucket) if secs > 0 or (window_class, bucket) in by_class else None
        _add_to(by_class, key or ("", bucket), secs)
    if len(by_class) > MAX_CLASSES:
        _merge_smallest(by_class)
    match bucket:
        case "ontask":
            total = max(0.0, evidence.ontask_secs + secs)
            return replace(evidence, as_of=as_of, by_class=by_class, ontask_secs=total)
        case "drift":
            total = max(0.0, evidence.drift_secs + secs)
            return replace(evidence, as_of=as_of, by_class=by_class, drift_secs=total)
        case "unjudged":
            total = max(0.0, evidence.unjudged_secs + secs)
            return replace(evidence, as_of=as_of, by_class=by_class, unjudged_secs=total)
        case "away":
            total = max(0.0, evidence.away_secs + secs)
            return replace(evidence, as_of=as_of, by_class=by_class, away_secs=total)
        case _:
            assert_never(bucket)


def _add_to(
    by_class: dict[tuple[str, Bucket], float], key: tuple[str, Bucket], secs: float
) -> None:
    total = by_class.get(key, 0.0) + secs
    if total > _ROUNDING_SECS:
        by_class[key] = total
    else:
        by_class.pop(key, None)


def move(evidence: Evidence, secs: float, window_class: str, old: Bucket, new: Bucket) -> Evidence:
    """Return the totals with `secs` of one class counted under another bucket after all."""
    taken = take(evidence, secs, window_class, old)
    return add(taken, secs, window_class, new, evidence.as_of)


def take(evidence: Evidence, secs: float, window_class: str, bucket: Bucket) -> Evidence:
    """Return the totals without `secs` that were counted in this class and bucket."""
    return add(evidence, -secs, window_class, bucket, evidence.as_of)


def _merge_smallest(by_class: dict[tuple[str, Bucket], float]) -> None:
    """Merge an eighth at once, so that the next few windows needn't search for the smallest."""
    named = sorted((key for key in by_class if key[0]), key=by_class.__getitem__)
    for smallest in named[: MAX_CLASSES // 8]:
        rest: tuple[str, Bucket] = ("", smallest[1])
        by_class[rest] = by_class.get(rest, 0.0) + by_class.pop(smallest)


def note_class(evidence: Evidence, window_class: str) -> Evidence:
    """Return the totals after a window of this class came to the front: a change is a switch."""
    if window_class == evidence.last_class:
        return evidence
    switched = evidence.last_class is not None
    return replace(evidence, last_class=window_class, switches=evidence.switches + switched)

"""How time passes for a session: evidence, suspend, the stale rule, the stepping wall clock."""

from dataclasses import replace
from typing import NamedTuple

from antidriftd.core import evidence as totals
from antidriftd.core.drift import pipeline
from antidriftd.core.drift.state import Drift
from antidriftd.core.model import Moment
from antidriftd.core.saving import CHECKPOINT_SECS
from antidriftd.core.state import Active, State

OVERTIME_LIMIT_SECS = 2 * 3600.0
"""A session this far over its end is stale."""

AWAY_LIMIT_SECS = 4 * 3600.0
"""A session resumed after this long away is stale."""

_WALL_CLOCK_STEP_SECS = 1.0

_WATCHED_SECS = CHECKPOINT_SECS + 10.0
"""A running session has an event at each checkpoint; in a longer gap the daemon was stopped."""


class _Passed(NamedTuple):
    """How a stretch of a session's time was spent, in seconds."""

    watched: float
    unwatched: float
    asleep: float


def keep_time(state: State, now: Moment) -> State:
    """Return the state with everything counted up to `now`."""
    offset = settled_utc_offset(state.utc_offset, now)
    if offset != state.utc_offset:
        state = replace(state, utc_offset=offset)
    if isinstance(state.phase, Active) and not state.phase.stale:
        window_class = "" if state.window is None else state.window.window_class
        state = replace(state, phase=_count(state.phase, window_class, now))
    return state


def settled_utc_offset(before: float, now: Moment) -> float:
    """Return the wall clock minus the boot clock: as it was `before`, unless a clock was set."""
    offset = now.utc - now.boot
    return offset if abs(offset - before) > _WALL_CLOCK_STEP_SECS else before


def _count(active: Active, window_class: str, now: Moment) -> Active:
    before = active.session.evidence.as_of
    passed = now.boot - before.boot
    if passed <= 0:
        return active
    asleep = min(totals.asleep_secs(before, now), passed)
    watched = min(passed - asleep, _WATCHED_SECS)
    absent = passed - watched >= AWAY_LIMIT_SECS
    limit = active.session.ends + OVERTIME_LIMIT_SECS
    # The time watched comes first: an event ends each absence.
    countable = max(0.0, min(watched if absent else passed, limit - before.boot))
    watched = min(watched, countable)
    unwatched = min(passed - asleep - watched, countable - watched)
    counted = _Passed(watched, unwatched, asleep=countable - watched - unwatched)
    active = _add(active, window_class, counted, now)
    return go_stale(active, now) if absent or now.boot >= limit else active


def _add(active: Active, window_class: str, passed: _Passed, now: Moment) -> Active:
    bucket = totals.bucket_of(active.drift.status)
    spent: dict[totals.Bucket, float] = {"unjudged": passed.unwatched, "away": passed.asleep}
    spent[bucket] = spent.get(bucket, 0.0) + passed.watched
    evidence = totals.add(active.session.evidence, spent, window_class, now)
    drift = active.drift
    if bucket == "ontask":
        drift = pipeline.count_ontask(drift, passed.watched)
    return replace(active, session=replace(active.session, evidence=evidence), drift=drift)


def go_stale(active: Active, now: Moment) -> Active:
    """Return the session no longer judged nor counted, until `extend` or `complete`."""
    drift = Drift(episodes=active.drift.episodes, since=now.boot)
    return Active(active.session, drift, stale=True)

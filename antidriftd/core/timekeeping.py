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
    unwatched: float = 0.0
    asleep: float = 0.0


def keep_time(state: State, now: Moment) -> State:
    """Return the state with everything counted up to `now`."""
    offset = now.utc - now.boot
    if abs(offset - state.utc_offset) > _WALL_CLOCK_STEP_SECS:
        state = replace(state, utc_offset=offset)
    if isinstance(state.phase, Active) and not state.phase.stale:
        window_class = "" if state.window is None else state.window.window_class
        state = replace(state, phase=_count(state.phase, window_class, now))
    return state


def _count(active: Active, window_class: str, now: Moment) -> Active:
    before = active.session.evidence.as_of
    passed = now.boot - before.boot
    if passed <= 0:
        return active
    asleep = min(totals.asleep_secs(before, now), passed)
    unwatched = max(0.0, passed - asleep - _WATCHED_SECS)
    if asleep + unwatched >= AWAY_LIMIT_SECS:
        watched = passed - asleep - unwatched
        return go_stale(_add(active, window_class, _Passed(watched), now), now)
    limit = active.session.ends + OVERTIME_LIMIT_SECS
    countable = max(0.0, min(passed, limit - before.boot))
    asleep = min(asleep, countable)
    unwatched = min(unwatched, countable - asleep)
    counted = _Passed(countable - asleep - unwatched, unwatched, asleep)
    active = _add(active, window_class, counted, now)
    return go_stale(active, now) if now.boot >= limit else active


def _add(active: Active, window_class: str, passed: _Passed, now: Moment) -> Active:
    bucket = totals.bucket_of(active.drift.status)
    evidence = totals.add(active.session.evidence, bucket, window_class, passed.watched)
    evidence = totals.add(evidence, "unjudged", window_class, passed.unwatched)
    evidence = replace(totals.add(evidence, "away", window_class, passed.asleep), as_of=now)
    drift = active.drift
    if bucket == "ontask":
        drift = pipeline.count_ontask(drift, passed.watched)
    return replace(active, session=replace(active.session, evidence=evidence), drift=drift)


def go_stale(active: Active, now: Moment) -> Active:
    """Return the session no longer judged nor counted, until `extend` or `complete`."""
    drift = Drift(episodes=active.drift.episodes, since=now.boot)
    return replace(active, stale=True, drift=drift)

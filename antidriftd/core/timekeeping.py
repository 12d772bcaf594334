"""How time passes for a session: evidence, suspend, the stale rule, the stepping wall clock."""

import math
from collections.abc import Iterable

from antidriftd.core import evidence as totals
from antidriftd.core import ledger, titles
from antidriftd.core.drift import pipeline
from antidriftd.core.drift.state import Drift
from antidriftd.core.ledger import Span
from antidriftd.core.model import Moment, Window
from antidriftd.core.presence_state import Absence
from antidriftd.core.replacing import replace
from antidriftd.core.saving import CHECKPOINT_SECS
from antidriftd.core.state import Active, State

OVERTIME_LIMIT_SECS = 2 * 3600.0
"""A session this far over its end is stale."""

AWAY_LIMIT_SECS = 4 * 3600.0
"""A session resumed after this long away is stale."""

_WALL_CLOCK_STEP_SECS = 1.0
_NO_WINDOW = Window("", "")

_WATCHED_SECS = CHECKPOINT_SECS + 10.0
"""A running session has an event at each checkpoint; in a longer gap the daemon was stopped."""


def keep_time(state: State, now: Moment) -> State:
    """Return the state with everything counted up to `now`."""
    offset = settled_utc_offset(state.utc_offset, now)
    if offset != state.utc_offset:
        state = replace(state, utc_offset=offset)
    if isinstance(state.phase, Active) and not state.phase.stale:
        state = replace(state, phase=_count(state.phase, state, now))
    return state


def settled_utc_offset(before: float, now: Moment) -> float:
    """Return the wall clock minus the boot clock: as it was `before`, unless a clock was set."""
    offset = now.utc - now.boot
    return offset if abs(offset - before) > _WALL_CLOCK_STEP_SECS else before


def _count(active: Active, state: State, now: Moment) -> Active:
    before = active.session.evidence.as_of
    passed = now.boot - before.boot
    if passed <= 0:
        return active
    if active.away is not None:
        return _count_absence(active, state, now)
    asleep = min(totals.asleep_secs(before, now), passed)
    watched = min(passed - asleep, _WATCHED_SECS)
    absent = passed - watched >= AWAY_LIMIT_SECS
    limit = active.session.ends + OVERTIME_LIMIT_SECS
    # The time watched comes first: an event ends each absence.
    countable = max(0.0, min(watched if absent else passed, limit - before.boot))
    watched = min(watched, countable)
    unwatched = min(passed - asleep - watched, countable - watched)
    slept = countable - watched - unwatched
    spent: tuple[tuple[totals.Bucket, float], ...] = (
        (totals.bucket_of(active.drift.status), watched),
        ("unjudged", unwatched),
        ("away", slept),
    )
    active = _add(active, state, spent, now)
    if absent or now.boot >= limit:
        return go_stale(active, now)
    return replace(active, absence=Absence("asleep", now.boot - slept, slept)) if slept else active


def _count_absence(active: Active, state: State, now: Moment) -> Active:
    """Count all time as an absence; a pause has no end, as the timebox stands still in it."""
    before = active.session.evidence.as_of
    limit = math.inf if active.pause else active.session.ends + OVERTIME_LIMIT_SECS
    countable = max(0.0, min(now.boot, limit) - before.boot)
    active = _add(active, state, (("away", countable),), now)
    return go_stale(active, now) if now.boot >= limit else active


def _add(
    active: Active, state: State, spent: Iterable[tuple[totals.Bucket, float]], now: Moment
) -> Active:
    """Return the session with `spent` counted one after the other, from where it was counted to."""
    window = state.window or _NO_WINDOW
    kept_class = titles.kept_class(window, state.rules)
    kept_title = titles.kept_title(window, state.rules)
    session, drift = active.session, active.drift
    evidence, spans = session.evidence, session.spans
    began = evidence.as_of.boot
    for bucket, secs in spent:
        if secs <= 0:
            continue
        span = Span(began, secs, kept_class, kept_title, bucket, evidence.switches, drift.episodes)
        spans = ledger.append(spans, span)
        evidence = totals.add(evidence, secs, kept_class, bucket, now)
        began += secs
        if bucket == "ontask":
            drift = pipeline.count_ontask(drift, secs)
    if evidence.as_of is not now:
        evidence = replace(evidence, as_of=now)
    session = replace(session, evidence=evidence, spans=spans)
    return replace(active, session=session, drift=drift)


def go_stale(active: Active, now: Moment) -> Active:
    """Return the session no longer judged nor counted, until `extend` or `complete`."""
    drift = Drift(episodes=active.drift.episodes, since=now.boot)
    return Active(active.session, drift, stale=True, front=active.front)

"""The drift pipeline: local match, nothing to judge, cache, dwell and debounce, judge."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from antidriftd.core.drift import budget
from antidriftd.core.drift.page_key import Key
from antidriftd.core.drift.sight import Sight
from antidriftd.core.drift.state import Budget, Drift, DriftStatus, OpenDrift, Question, Ruled, Seen
from antidriftd.core.model import Moment, Verdict
from antidriftd.core.replacing import replace
from antidriftd.core.rules import Rules

TERMINAL_GRACE_SECS = 60.0
"""People type their answers in terminals, so for this long a terminal is not a drift."""

RESTLESS_SECS = 15.0
"""A many-faced program whose pages never stay is judged after this long anyway."""

OPEN_DRIFT_ENDS_AFTER_SECS = 300.0
FAILURE_HOLD_SECS = 60.0
CANNOT_TELL_HOLD_SECS = 600.0
REFOCUS_HOLD_SECS = 30.0

_ROUNDING_SECS = 1e-3
_MAX_RECENT = 300
_MAX_CACHED = 1024

_SHOWN: Mapping[DriftStatus, bool] = MappingProxyType({"ontask": True, "drifting": False})
"""The verdict that a status shows."""

_CONDEMNED = Verdict(on_task=False, reason="you said that this is off task")

_T = TypeVar("_T")


class Scene(NamedTuple):
    """What the rules look at beside the pipeline's own memory."""

    sight: Sight | None
    rules: Rules
    budget: Budget
    commanded_at: float
    """When the last command that changed the state came in (`mono`)."""
    now: Moment
    advisor_is_busy: bool = False
    """Whether the advisor works on something else: one question at a time."""


class Ruling(NamedTuple):
    """What the rules decided; `ask` says that the judge is to be asked about the sight."""

    drift: Drift
    ask: bool = False


# --- the window in front changes -----------------------------------------------------------


def focus(drift: Drift, old: Sight | None, new: Sight | None, rules: Rules, now: Moment) -> Drift:
    """Return the memory after the front went from `old` to `new`; the rules have yet to run."""
    new_key = None if new is None else new.key
    if new_key == drift.key:
        return drift
    settled = old is not None and is_settled(drift, rules, now)
    is_other = new is not None and (old is None or old.key.program != new.key.program)
    return replace(
        drift,
        status="idle",
        reason="",
        since=now.boot,
        key=new_key,
        key_since=now.mono,
        program_since=now.mono if is_other else drift.program_since,
        unsettled_since=now.mono if is_other or settled else drift.unsettled_since,
        recent=_remember(drift, old, now) if old is not None and settled else drift.recent,
        wake_at=None,
    )


def is_settled(drift: Drift, rules: Rules, now: Moment) -> bool:
    """Return whether the key in front has outlasted the dwell."""
    return now.mono >= drift.key_since + rules.dwell_secs


def _remember(drift: Drift, old: Sight, now: Moment) -> tuple[Seen, ...]:
    if old.terminal or old.nothing_to_judge:
        return drift.recent
    others = [entry for entry in drift.recent if entry.key != old.key]
    return (*others[-_MAX_RECENT + 1 :], Seen(old.key, old.window, now.mono))


# --- the rules -----------------------------------------------------------------------------


def run_rules(drift: Drift, scene: Scene) -> Ruling:
    """Return what the rules, in their order, say of the window in front."""
    if drift.wake_at is not None:
        drift = replace(drift, wake_at=None)
    sight, now = scene.sight, scene.now
    if sight is None:
        return Ruling(_settle(drift, "idle", "", now))
    if sight.allowed:
        if not sight.terminal or drift.last is None:
            # In an allowed terminal people type `antidrift why`, and mean what was before.
            drift = _note_rule(drift, Ruled("allowed", sight.window, True, "", now.boot), now)
        return Ruling(_settle(drift, "ontask", "", now))
    if sight.nothing_to_judge:
        return Ruling(_settle(drift, "idle", "", now))
    verdict = _given(drift, sight, now)
    shown = _SHOWN.get(drift.status)
    if shown is not None and (verdict is None or verdict.on_task != shown):
        # What justified it is gone: a title that was allowed, an allowance taken back.
        drift = _settle(drift, "idle", "", now)
    grace_ends = _terminal_grace_ends(drift, sight, scene)
    if now.mono < grace_ends:
        return Ruling(replace(drift, wake_at=grace_ends))
    if verdict is not None:
        return Ruling(_apply(drift, verdict, sight, scene))
    return _judge(drift, sight, scene)


def _given(drift: Drift, sight: Sight, now: Moment) -> Verdict | None:
    """Return the verdict that holds already; the person's own outlives every other."""
    if sight.condemned and now.mono >= drift.held.get(sight.key, 0.0):
        return _CONDEMNED
    return drift.cache.get(sight.key)


def _terminal_grace_ends(drift: Drift, sight: Sight, scene: Scene) -> float:
    if not sight.terminal:
        return 0.0
    ends = scene.commanded_at + TERMINAL_GRACE_SECS
    if drift.open is not None:
        ends = max(ends, drift.program_since + TERMINAL_GRACE_SECS)
    return ends


def _dwell_ends(drift: Drift, sight: Sight, scene: Scene) -> float:
    ends = drift.key_since + scene.rules.dwell_secs
    if sight.many_faced:
        ends = min(ends, drift.unsettled_since + RESTLESS_SECS)
    return ends


def _apply(drift: Drift, verdict: Verdict, sight: Sight, scene: Scene) -> Drift:
    ruled = _ruled(verdict, sight, scene.now)
    if verdict.on_task:
        drift = _note_rule(drift, ruled, scene.now)
        return _settle(drift, "ontask", verdict.reason, scene.now)
    due = _dwell_ends(drift, sight, scene)
    if scene.now.mono < due:
        return replace(_settle(drift, "idle", "", scene.now), wake_at=due)
    drift = _note_rule(drift, ruled, scene.now)
    if scene.rules.shadow:
        return _settle(drift, "idle", "", scene.now)
    if drift.status == "drifting":
        return replace(drift, reason=verdict.reason)
    drift = _settle(drift, "drifting", verdict.reason, scene.now)
    return replace(
        drift,
        episodes=drift.episodes + 1,
        open=OpenDrift(sight.key, sight.window, verdict.reason, scene.now.boot),
    )


def _ruled(verdict: Verdict, sight: Sight, now: Moment) -> Ruled:
    if verdict is _CONDEMNED:
        return Ruled("condemned", sight.window, verdict.on_task, verdict.reason, now.boot)
    return Ruled("cache", sight.window, verdict.on_task, verdict.reason, now.boot, sight.key)


def _note_rule(drift: Drift, ruled: Ruled, now: Moment) -> Drift:
    """Keep what spoke last; a verdict that has just been given is the judge's, not the cache's."""
    last = drift.last
    if last is not None and (last.window, last.on_task) == (ruled.window, ruled.on_task):
        same_rule = last.by == ruled.by or (last.by, ruled.by) == ("judge", "cache")
        stayed = last.at >= now.boot - (now.mono - drift.key_since)
        if same_rule and stayed:
            return drift
    return replace(drift, last=ruled)


def _judge(drift: Drift, sight: Sight, scene: Scene) -> Ruling:
    rules, now = scene.rules, scene.now
    if drift.question is not None:
        # The answer, or its absence, runs the rules again.
        ours = drift.question.key == sight.key and not rules.judge_is_free
        return Ruling(_settle(drift, "pending", "", now) if ours else drift)
    if not rules.has_judge or (scene.advisor_is_busy and not rules.judge_is_free):
        return Ruling(_settle(drift, "idle", "", now))
    due = max(
        _dwell_ends(drift, sight, scene),
        drift.held.get(sight.key, 0.0),
        budget.judgment_allowed_at(scene.budget, rules),
    )
    if now.mono < due:
        return Ruling(replace(drift, wake_at=due))
    return Ruling(drift, ask=True)


def _settle(drift: Drift, status: DriftStatus, reason: str, now: Moment) -> Drift:
    if (drift.status, drift.reason) == (status, reason):
        return drift
    since = drift.since if drift.status == status else now.boot
    return replace(drift, status=status, reason=reason, since=since)


# --- asking and being answered --------------------------------------------------------------


def ask(drift: Drift, question_id: int, sight: Sight, scene: Scene) -> Drift:
    """Return the memory with a question about the window in front under way."""
    drift = replace(drift, question=Question(question_id, sight.key, sight.window))
    drift = replace(drift, unsettled_since=scene.now.mono)
    return drift if scene.rules.judge_is_free else _settle(drift, "pending", "", scene.now)


def answered(drift: Drift, verdict: Verdict, asked: Sight, scene: Scene) -> Drift:
    """Return the memory with the open question's verdict taken in; the rules have yet to run.

    `asked` is the question's window under the allowed context of now.
    """
    now, key = scene.now, asked.key
    ruled = Ruled("judge", asked.window, verdict.on_task, verdict.reason, now.boot, key)
    drift = replace(end_question(drift, now), last=ruled)
    if verdict.on_task is None:
        return hold(drift, key, CANNOT_TELL_HOLD_SECS, now)
    drift = replace(drift, cache=_bounded({**drift.cache, key: verdict}))
    if not verdict.on_task and not asked.allowed and _left_for_another_page(drift, asked, scene):
        drift = replace(drift, open=OpenDrift(key, asked.window, verdict.reason, now.boot))
    return drift


def _left_for_another_page(drift: Drift, asked: Sight, scene: Scene) -> bool:
    front = scene.sight
    return (
        front is not None
        and asked.many_faced
        and front.key != asked.key
        and front.key.program == asked.key.program
        and drift.status != "ontask"
        and not scene.rules.shadow
    )


def failed(drift: Drift, now: Moment) -> Drift:
    """Return the memory after the open question got no answer: no alarm, and a wait."""
    if drift.question is None:
        return drift
    key = drift.question.key
    ruled = Ruled("judge", drift.question.window, None, "", now.boot, key)
    return hold(replace(end_question(drift, now), last=ruled), key, FAILURE_HOLD_SECS, now)


def end_question(drift: Drift, now: Moment) -> Drift:
    """Return the memory with no question under way."""
    drift = replace(drift, question=None)
    return _settle(drift, "idle", "", now) if drift.status == "pending" else drift


def hold(drift: Drift, key: Key, secs: float, now: Moment) -> Drift:
    """Return the memory with `key` left alone for `secs`."""
    live = {other: until for other, until in drift.held.items() if until > now.mono}
    return replace(drift, held=_bounded({**live, key: now.mono + secs}))


def forget(drift: Drift, key: Key, now: Moment) -> Drift:
    """Return the memory without the verdict on `key`, and without showing it."""
    cache = {other: verdict for other, verdict in drift.cache.items() if other != key}
    drift = replace(drift, cache=cache)
    return _settle(drift, "idle", "", now) if drift.key == key else drift


def _bounded(entries: dict[Key, _T]) -> Mapping[Key, _T]:
    while len(entries) > _MAX_CACHED:
        del entries[next(iter(entries))]
    return entries


def count_ontask(drift: Drift, secs: float) -> Drift:
    """Return the memory after `secs` on task: enough of them end the open drift."""
    if drift.open is None or secs <= 0:
        return drift
    total = drift.open.ontask_secs + secs
    if total >= OPEN_DRIFT_ENDS_AFTER_SECS - _ROUNDING_SECS:
        return replace(drift, open=None)
    return replace(drift, open=replace(drift.open, ontask_secs=total))

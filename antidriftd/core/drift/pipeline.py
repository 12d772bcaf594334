"""The drift pipeline: local match, nothing to judge, cache, dwell and debounce, judge."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from antidriftd.core.drift.page_key import Key
from antidriftd.core.drift.sight import Sight
from antidriftd.core.drift.state import Budget, Drift, DriftStatus, OpenDrift, Question, Seen
from antidriftd.core.model import Moment, Verdict
from antidriftd.core.rules import Rules

TERMINAL_GRACE_SECS = 60.0
"""People type their answers in terminals, so for this long a terminal is not a drift."""

RESTLESS_SECS = 15.0
"""A many-faced program whose pages never stay is judged after this long anyway."""

OPEN_DRIFT_ENDS_AFTER_SECS = 300.0
FAILURE_HOLD_SECS = 60.0
CANNOT_TELL_HOLD_SECS = 600.0
REFOCUS_HOLD_SECS = 30.0

_FAILURES_BEFORE_BACK_OFF = 3
_FIRST_BACK_OFF_SECS = 60.0
_LONGEST_BACK_OFF_SECS = 300.0
_BUDGET_WINDOW_SECS = 3600.0

_ROUNDING_SECS = 1e-3
_MAX_RECENT = 300
_MAX_CACHED = 1024

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Scene:
    """What the rules look at beside the pipeline's own memory."""

    sight: Sight | None
    rules: Rules
    budget: Budget
    commanded_at: float
    """When the last command that changed the state came in (`mono`)."""
    now: Moment


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules decided; `ask` says that the judge is to be asked about the sight."""

    drift: Drift
    ask: bool = False


# --- the window in front changes -----------------------------------------------------------


def focus(drift: Drift, old: Sight | None, new: Sight | None, scene: Scene) -> Drift:
    """Return the memory after the front went from `old` to `new`; the rules have yet to run."""
    now = scene.now
    new_key = None if new is None else new.key
    if new_key == drift.key:
        return drift
    if old is not None and is_settled(drift, scene):
        drift = replace(drift, unsettled_since=now.mono, recent=_remember(drift, old, now))
    drift = replace(
        drift, status="idle", reason="", since=now.boot, key=new_key, key_since=now.mono
    )
    if new is not None and (old is None or old.key.program != new.key.program):
        drift = replace(drift, program_since=now.mono, unsettled_since=now.mono)
    return drift


def is_settled(drift: Drift, scene: Scene) -> bool:
    """Return whether the key in front has outlasted the dwell."""
    return scene.now.mono >= drift.key_since + scene.rules.dwell_secs


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
        return Ruling(_settle(drift, "ontask", "", now))
    if sight.nothing_to_judge:
        return Ruling(_settle(drift, "idle", "", now))
    verdict = drift.cache.get(sight.key)
    if verdict is None and drift.status in {"ontask", "drifting"}:
        # What justified it is gone: a title that was allowed, an allowance taken back.
        drift = _settle(drift, "idle", "", now)
    grace_ends = _terminal_grace_ends(drift, sight, scene)
    if now.mono < grace_ends:
        return Ruling(replace(drift, wake_at=grace_ends))
    if verdict is not None:
        return Ruling(_apply(drift, verdict, sight, scene))
    return _judge(drift, sight, scene)


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
    if verdict.on_task:
        return _settle(drift, "ontask", verdict.reason, scene.now)
    due = _dwell_ends(drift, sight, scene)
    if scene.now.mono < due:
        return replace(_settle(drift, "idle", "", scene.now), wake_at=due)
    if drift.status == "drifting":
        return replace(drift, reason=verdict.reason)
    drift = _settle(drift, "drifting", verdict.reason, scene.now)
    return replace(
        drift,
        episodes=drift.episodes + 1,
        open=OpenDrift(sight.key, sight.window, verdict.reason, scene.now.boot),
    )


def _judge(drift: Drift, sight: Sight, scene: Scene) -> Ruling:
    rules, now = scene.rules, scene.now
    if drift.question is not None:
        # The answer, or its absence, runs the rules again.
        ours = drift.question.key == sight.key and not rules.judge_is_free
        return Ruling(_settle(drift, "pending", "", now) if ours else drift)
    if not rules.has_judge:
        return Ruling(_settle(drift, "idle", "", now))
    due = max(
        _dwell_ends(drift, sight, scene),
        drift.held.get(sight.key, 0.0),
        budget_allows_at(scene.budget, rules),
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
    drift = end_question(drift, now)
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
    )


def failed(drift: Drift, now: Moment) -> Drift:
    """Return the memory after the open question got no answer: no alarm, and a wait."""
    if drift.question is None:
        return drift
    key = drift.question.key
    return hold(end_question(drift, now), key, FAILURE_HOLD_SECS, now)


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


# --- the open drift and the budget ----------------------------------------------------------


def count_ontask(drift: Drift, secs: float) -> Drift:
    """Return the memory after `secs` on task: enough of them end the open drift."""
    if drift.open is None or secs <= 0:
        return drift
    total = drift.open.ontask_secs + secs
    if total >= OPEN_DRIFT_ENDS_AFTER_SECS - _ROUNDING_SECS:
        return replace(drift, open=None)
    return replace(drift, open=replace(drift.open, ontask_secs=total))


def begin_judgment(budget: Budget, rules: Rules, now: Moment) -> Budget:
    """Return the budget with one more judgment begun; a free one isn't counted."""
    if rules.judge_is_free:
        return budget
    recent = tuple(at for at in budget.begun if at > now.mono - _BUDGET_WINDOW_SECS)
    return replace(budget, begun=(*recent, now.mono), last_begun=now.mono)


def judgment_succeeded(budget: Budget) -> Budget:
    """Return the budget after an answer of the right shape."""
    return replace(budget, failures=0)


def judgment_failed(budget: Budget, now: Moment) -> Budget:
    """Return the budget after a failure: from the third in a row on, a growing wait."""
    failures = budget.failures + 1
    extra = failures - _FAILURES_BEFORE_BACK_OFF
    if extra < 0:
        return replace(budget, failures=failures)
    wait = min(_FIRST_BACK_OFF_SECS * 2.0 ** min(extra, 8), _LONGEST_BACK_OFF_SECS)
    return replace(budget, failures=failures, retry_at=now.mono + wait)


def budget_allows_at(budget: Budget, rules: Rules) -> float:
    """Return when (`mono`) the next judgment may begin; a free one waits only after failures."""
    due = budget.retry_at
    if budget.last_begun is not None:
        due = max(due, budget.last_begun + rules.debounce_secs)
    if len(budget.begun) >= rules.judgments_per_hour:
        due = max(due, budget.begun[-rules.judgments_per_hour] + _BUDGET_WINDOW_SECS)
    return due

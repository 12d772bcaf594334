"""What asking the advisor costs: debounce, the hourly budget, back-off after failures."""

from antidriftd.core.backoff import backoff_secs
from antidriftd.core.drift.state import Budget
from antidriftd.core.model import Moment
from antidriftd.core.replacing import replace
from antidriftd.core.rules import Rules

_FAILURES_BEFORE_BACK_OFF = 3
_FIRST_BACK_OFF_SECS = 60.0
_LONGEST_BACK_OFF_SECS = 300.0
_BUDGET_WINDOW_SECS = 3600.0


def begin_judgment(budget: Budget, rules: Rules, now: Moment) -> Budget:
    """Return the budget with one more judgment begun; a free one isn't counted."""
    if rules.judge_is_free:
        return budget
    return replace(_count(budget, now), last_begun=now.mono)


def begin_nudge(budget: Budget, now: Moment) -> Budget:
    """Return the budget with a nudge asked for: it costs as much, but debounces no judgment."""
    return _count(budget, now)


def _count(budget: Budget, now: Moment) -> Budget:
    recent = tuple(at for at in budget.begun if at > now.mono - _BUDGET_WINDOW_SECS)
    return replace(budget, begun=(*recent, now.mono))


def succeed(budget: Budget) -> Budget:
    """Return the budget after an answer of the right shape."""
    return replace(budget, failures=0)


def fail(budget: Budget, now: Moment) -> Budget:
    """Return the budget after a failure: from the third in a row on, a growing wait."""
    failures = budget.failures + 1
    extra = failures - _FAILURES_BEFORE_BACK_OFF
    if extra < 0:
        return replace(budget, failures=failures)
    wait = backoff_secs(extra, first_secs=_FIRST_BACK_OFF_SECS, longest_secs=_LONGEST_BACK_OFF_SECS)
    return replace(budget, failures=failures, retry_at=now.mono + wait)


def judgment_allowed_at(budget: Budget, rules: Rules) -> float:
    """Return when (`mono`) the next judgment may begin; a free one waits only after failures."""
    due = asking_allowed_at(budget, rules)
    if budget.last_begun is not None:
        due = max(due, budget.last_begun + rules.debounce_secs)
    return due


def asking_allowed_at(budget: Budget, rules: Rules) -> float:
    """Return when (`mono`) back-off and the hourly budget let the advisor be asked at all."""
    due = budget.retry_at
    if len(budget.begun) >= rules.judgments_per_hour:
        due = max(due, budget.begun[-rules.judgments_per_hour] + _BUDGET_WINDOW_SECS)
    return due

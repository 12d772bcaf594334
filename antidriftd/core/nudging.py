"""When the nudger is asked, and what becomes of its answer."""

from antidriftd.core.drift import budget
from antidriftd.core.drift.state import Drift
from antidriftd.core.events import NudgeFailed, NudgeReturned
from antidriftd.core.evidence import Evidence
from antidriftd.core.model import Digest, Moment
from antidriftd.core.nudge_state import Nudge
from antidriftd.core.replacing import replace
from antidriftd.core.state import Active, State

DIGEST_CLASSES = 8
_ROUNDING_SECS = 1e-3


def follow_up(state: State, now: Moment) -> State:
    """Return the state with the nudger asked when that is due, and no nudge beside a drift."""
    active, rules = state.phase, state.rules
    off = not rules.has_nudger or rules.nudge_every_secs <= 0
    if off or not isinstance(active, Active) or active.stale or active.away is not None:
        return state
    nudge, next_due = active.nudge, _counted(active.session.evidence) + rules.nudge_every_secs
    if nudge.due_secs is None:
        nudge = replace(nudge, due_secs=next_due)
    if nudge.text and _drifts(active.drift):
        nudge = replace(nudge, text="", at=0.0)
    if nudge is not active.nudge:
        active = replace(active, nudge=nudge)
        state = replace(state, phase=active)
    if _wait_secs(state, active, now) != 0:
        return state
    nudge = replace(nudge, request=state.next_request, due_secs=next_due)
    return replace(
        state,
        phase=replace(active, nudge=nudge),
        budget=budget.begin_nudge(state.budget, now),
        next_request=state.next_request + 1,
    )


def wait_secs(state: State, now: Moment) -> float | None:
    """Return in how many seconds the nudger may be asked; None while only an event can tell."""
    return _wait_secs(state, state.phase, now) if isinstance(state.phase, Active) else None


def _wait_secs(state: State, active: Active, now: Moment) -> float | None:
    nudge, drift, evidence = active.nudge, active.drift, active.session.evidence
    is_busy = nudge.request is not None or drift.question is not None
    if nudge.due_secs is None or is_busy or _drifts(drift):
        return None
    counted = _counted(evidence) + now.mono - evidence.as_of.mono
    allowed_in = budget.asking_allowed_at(state.budget, state.rules) - now.mono
    wait = max(nudge.due_secs - counted, allowed_in)
    return wait if wait > _ROUNDING_SECS else 0.0


def _drifts(drift: Drift) -> bool:
    return drift.status == "drifting" or drift.open is not None


def _counted(evidence: Evidence) -> float:
    return evidence.ontask_secs + evidence.drift_secs + evidence.unjudged_secs


def answered(state: State, event: NudgeReturned | NudgeFailed, now: Moment) -> State:
    """Return the state with an answer to its open question shown; a failure shows none."""
    active = state.phase
    if not isinstance(active, Active) or active.nudge.request != event.request:
        return state
    nudge = Nudge(due_secs=active.nudge.due_secs)
    if isinstance(event, NudgeFailed):
        costs = budget.fail(state.budget, now)
    else:
        costs = budget.succeed(state.budget)
        if event.text:
            nudge = replace(nudge, text=event.text, at=now.boot)
    return replace(state, phase=replace(active, nudge=nudge), budget=costs)


def digest_of(active: Active, now: Moment) -> Digest:
    """Return how the session goes, in the numbers that the nudger gets."""
    session, evidence = active.session, active.session.evidence
    by_class: dict[str, float] = {}
    for (window_class, _), secs in evidence.by_class.items():
        by_class[window_class] = by_class.get(window_class, 0.0) + secs
    largest = sorted(by_class.items(), key=lambda item: -item[1])[:DIGEST_CLASSES]
    return Digest(
        elapsed_secs=now.boot - session.started,
        remaining_secs=session.ends - now.boot,
        ontask_secs=evidence.ontask_secs,
        drift_secs=evidence.drift_secs,
        switches=evidence.switches,
        drift_episodes=active.drift.episodes,
        classes=tuple(largest),
    )

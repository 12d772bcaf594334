"""When the nudger is asked, and what becomes of its answer."""

from dataclasses import replace

from antidriftd.core.drift import budget
from antidriftd.core.events import NudgeFailed, NudgeReturned
from antidriftd.core.evidence import Evidence
from antidriftd.core.model import Digest, Moment
from antidriftd.core.nudge_state import Nudge
from antidriftd.core.state import Active, State

DIGEST_CLASSES = 8


def ask_if_due(state: State, now: Moment) -> State:
    """Return the state with the nudger asked, when it is time and nothing more urgent is up."""
    active = state.phase
    if not isinstance(active, Active) or _wait_secs(state, active, now) != 0:
        return state
    every = state.rules.nudge_every_secs
    nudge = replace(
        active.nudge,
        request=state.next_request,
        due_secs=_counted(active.session.evidence) + every,
    )
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
    rules, drift = state.rules, active.drift
    off = not rules.has_nudger or rules.nudge_every_secs <= 0 or active.stale
    if off or active.nudge.request or drift.question is not None:
        return None
    if drift.status == "drifting" or drift.open is not None:
        return None
    due = active.nudge.due_secs or rules.nudge_every_secs
    counted = _counted(active.session.evidence) + now.mono - active.session.evidence.as_of.mono
    allowed_in = budget.asking_allowed_at(state.budget, rules) - now.mono
    return max(0.0, due - counted, allowed_in)


def _counted(evidence: Evidence) -> float:
    return evidence.ontask_secs + evidence.drift_secs + evidence.unjudged_secs


def answered(state: State, event: NudgeReturned | NudgeFailed, now: Moment) -> State:
    """Return the state with the nudge shown, if it is still wanted; a failure shows nothing."""
    active = state.phase
    if not isinstance(active, Active) or active.nudge.request != event.request:
        return state
    nudge = Nudge(due_secs=active.nudge.due_secs)
    if isinstance(event, NudgeFailed):
        costs = budget.fail(state.budget, now)
    else:
        costs = budget.succeed(state.budget)
        if active.drift.status != "drifting":
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

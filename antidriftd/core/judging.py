"""Running the drift rules on the state, and taking in what the judge answers."""

from antidriftd.core import recording
from antidriftd.core.drift import budget, pipeline
from antidriftd.core.events import JudgmentFailed, JudgmentReturned
from antidriftd.core.focus import scene_of, sight_of
from antidriftd.core.model import Moment
from antidriftd.core.notices import JUDGE_TOPIC, notify, withdraw
from antidriftd.core.replacing import replace
from antidriftd.core.state import Active, State


def run_rules(state: State, now: Moment) -> State:
    """Return the state after the rules have looked at the window in front."""
    active = state.phase
    if not isinstance(active, Active) or active.stale or active.away is not None:
        return state
    scene = scene_of(state, active, now)
    ruling = pipeline.run_rules(active.drift, scene)
    if ruling.drift is active.drift and not ruling.ask:
        return state
    if not ruling.ask or scene.sight is None:
        return replace(state, phase=replace(active, drift=ruling.drift))
    drift = pipeline.ask(ruling.drift, state.next_request, scene.sight, scene)
    return replace(
        state,
        phase=replace(active, drift=drift),
        budget=budget.begin_judgment(state.budget, state.rules, now),
        next_request=state.next_request + 1,
    )


def answered(state: State, event: JudgmentReturned | JudgmentFailed, now: Moment) -> State:
    """Return the state with the answer to its open question taken in; any other changes nothing."""
    active = state.phase
    question = active.drift.question if isinstance(active, Active) else None
    if not isinstance(active, Active) or question is None or question.id != event.request:
        return state
    if isinstance(event, JudgmentFailed):
        drift = pipeline.failed(active.drift, now)
        costs = budget.fail(state.budget, now)
        wait_secs = costs.retry_at - now.mono
        again = f"; it is asked again after {wait_secs:.0f} s" if wait_secs > 0 else ""
        state = notify(state, JUDGE_TOPIC, f"the advisor gave no verdict: {event.detail}{again}")
    else:
        session = active.session
        state = recording.verdict_given(state, session, question.window, event.verdict)
        asked = sight_of(session, state.rules, question.window)
        drift = pipeline.answered(active.drift, event.verdict, asked, scene_of(state, active, now))
        costs = budget.succeed(state.budget)
        state = withdraw(state, JUDGE_TOPIC)
    return replace(state, phase=replace(active, drift=drift), budget=costs)

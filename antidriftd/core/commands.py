"""What each command does to the state, once the lifecycle allows it."""

import math
from typing import assert_never

from antidriftd.core import lifecycle, presence, recording, texts
from antidriftd.core.answering import (
    allow_context,
    condemn_context,
    disallow_context,
    refocus,
)
from antidriftd.core.drift.state import Drift
from antidriftd.core.durations import checked_secs
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.events import (
    AllowContext,
    CancelPlanning,
    CloseReview,
    Command,
    CompleteSession,
    CondemnContext,
    DisallowContext,
    EnterPlanning,
    ExtendSession,
    FetchTasks,
    OfferDisplay,
    PauseSession,
    PlanningCommand,
    Refocus,
    RequestCoach,
    ResumeSession,
    SelectProfile,
    SessionCommand,
    StartSession,
)
from antidriftd.core.evidence import Evidence
from antidriftd.core.focus import enter_front
from antidriftd.core.model import Commitment, Moment, Proposal
from antidriftd.core.notices import (
    ABSENCE_TOPIC,
    JUDGE_TOPIC,
    PAUSE_TOPIC,
    drop_told_events,
    forget_browsers,
    warn_of_browsers,
    withdraw,
)
from antidriftd.core.planning.commands import (
    enter_planning,
    fetch_tasks,
    leave_planning,
    request_coach,
    select_profile,
)
from antidriftd.core.replacing import replace
from antidriftd.core.state import (
    Active,
    Idle,
    Planning,
    Review,
    Session,
    State,
)

DEFAULT_TIMEBOX_SECS = 1500
_MAX_AHEAD_SECS = 3650 * 86_400.0
"""So that no number of extensions leads past the last date there is (the year 9999)."""
_NO_PROPOSAL = Proposal("", "", DEFAULT_TIMEBOX_SECS)


def apply_command(state: State, command: Command, now: Moment) -> State:
    """Return the state after `command`; the very same object when it changes nothing.

    Raises:
        TransitionRefused: the command may not happen now, or one of its values is no good.
    """
    lifecycle.require(command, state.phase.name)
    match command:
        case StartSession():
            return _start_session(state, command, now)
        case CloseReview():
            return replace(_close_review(state, command), phase=Idle())
        case OfferDisplay():
            return _offer_display(state, command)
        case EnterPlanning() | RequestCoach() | FetchTasks() | SelectProfile() | CancelPlanning():
            return _apply_to_plan(state, command)
        case _:
            return _apply_to_session(state, command, now)


def _apply_to_plan(state: State, command: PlanningCommand) -> State:
    match command:
        case EnterPlanning():
            return enter_planning(_close_review(state, CloseReview()), command)
        case RequestCoach():
            return request_coach(_close_review(state, CloseReview()), command)
        case FetchTasks():
            return fetch_tasks(state)
        case SelectProfile(path=path):
            return select_profile(state, path)
        case CancelPlanning():
            return replace(leave_planning(state, shows_tasks=state.tasks.asked), phase=Idle())
        case _:
            assert_never(command)


def _apply_to_session(state: State, command: SessionCommand, now: Moment) -> State:
    active = lifecycle.require_active(state.phase)
    match command:
        case AllowContext():
            return allow_context(state, active, command, now)
        case CondemnContext():
            return condemn_context(state, active, now)
        case DisallowContext():
            return disallow_context(state, active, command)
        case Refocus(because=because):
            return refocus(state, active, because or "", now)
        case ExtendSession():
            return _extend_session(state, active, command, now)
        case PauseSession():
            return presence.pause(state, active, now)
        case ResumeSession():
            return presence.resume(state, active, now)
        case CompleteSession():
            return _complete_session(state, active, now)
        case _:
            assert_never(command)


def _start_session(state: State, command: StartSession, now: Moment) -> State:
    planning = state.phase if isinstance(state.phase, Planning) else None
    proposal = (planning and planning.coaching.proposal) or _NO_PROPOSAL
    success, timebox = command.success_condition, command.timebox_secs
    commitment = Commitment(
        next_action=_next_action(planning, command),
        success_condition=texts.checked_optional_text(
            "the success condition", proposal.success_condition if success is None else success
        ),
        timebox_secs=checked_secs(
            "the timebox", proposal.timebox_secs if timebox is None else timebox
        ),
    )
    classes = command.allowed_window_classes
    allowances = texts.merged(
        texts.checked_allowances(
            "class", proposal.allowed_window_classes if classes is None else classes
        ),
        texts.checked_allowances("title", command.allowed_window_titles or ()),
    )
    session = Session(
        session_id=command.session_id,
        intent=planning.intent if planning else "",
        commitment=commitment,
        allowances=allowances,
        started=now.boot,
        ends=now.boot + commitment.timebox_secs,
        evidence=Evidence(as_of=now),
    )
    state = drop_told_events(_close_review(state, CloseReview()))
    state = warn_of_browsers(leave_planning(state, shows_tasks=False), allowances)
    state = replace(state, phase=Active(session, Drift(since=now.boot)))
    return replace(state, phase=enter_front(state, state.window, now))


def _next_action(planning: Planning | None, command: StartSession) -> str:
    if command.next_action is not None:
        return texts.checked_text("the next action", command.next_action)
    if planning is None:
        message = "say what you are about to do: `antidrift start NEXT ACTION`"
        raise TransitionRefused("wrong_state", message)
    proposal = planning.coaching.proposal
    if proposal is None and not planning.intent:
        message = "the plan is empty; say what you are about to do: `antidrift start NEXT ACTION`"
        raise TransitionRefused("invalid_value", message)
    return proposal.next_action if proposal else planning.intent


def _complete_session(state: State, active: Active, now: Moment) -> State:
    review = Review(active.session, active.drift.episodes, now.boot, stale=active.stale)
    state = forget_browsers(state, active.session.allowances)
    for topic in (JUDGE_TOPIC, PAUSE_TOPIC):
        state = withdraw(state, topic)
    return recording.session_ended(state, review)


def _extend_session(state: State, active: Active, command: ExtendSession, now: Moment) -> State:
    secs = command.secs
    if command.away:
        active, absence_secs = presence.added_absence(active)
        state = withdraw(state, ABSENCE_TOPIC)
        secs += math.ceil(absence_secs)
    secs = checked_secs("the extension", secs)
    session = active.session
    ends = max(presence.clock_stands_at(active, now), session.ends) + secs
    if ends > now.boot + _MAX_AHEAD_SECS:
        message = "the session would run for ten years; complete it and start another"
        raise TransitionRefused("invalid_value", message)
    if not active.stale:
        return replace(state, phase=replace(active, session=replace(session, ends=ends)))
    # What was not counted while stale stays uncounted: the count goes on from here.
    session = replace(session, ends=ends, evidence=replace(session.evidence, as_of=now))
    drift = Drift(episodes=active.drift.episodes, since=now.boot)
    state = replace(state, phase=Active(session, drift))
    return replace(state, phase=enter_front(state, state.window, now))


def _close_review(state: State, command: CloseReview) -> State:
    if not isinstance(state.phase, Review):
        return state
    note = texts.checked_note(command.note or "")
    return recording.review_closed(state, state.phase.session, command.outcome or "", note)


def _offer_display(state: State, command: OfferDisplay) -> State:
    display = command.display
    number = display.name.removeprefix(":").split(".")
    is_local = display.name.startswith(":") and len(number) <= 2 and all(map(_is_number, number))
    if not is_local or not state.sensor.takes_display or display == state.display:
        return state
    return replace(state, display=display)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6

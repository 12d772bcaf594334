"""From a method's params to the core's command."""

import uuid

from antidriftd.core.events import (
    AllowContext,
    CloseReview,
    DisallowContext,
    EnterPlanning,
    ExtendSession,
    OfferDisplay,
    Refocus,
    RequestCoach,
    SelectProfile,
    StartSession,
)
from antidriftd.core.model import Display
from protocol import methods
from protocol.errors import RpcError


def enter_planning(params: methods.PlanParams) -> EnterPlanning:
    """Return the command of `plan`."""
    return EnterPlanning(params.intent, params.task_id)


def start_session(params: methods.StartParams) -> StartSession:
    """Return the command of `start`, with a session id of its own."""
    return StartSession(
        session_id=uuid.uuid4().hex,
        next_action=params.next_action,
        success_condition=params.success_condition,
        timebox_secs=params.timebox_secs,
        allowed_window_classes=params.allowed_window_classes,
        allowed_window_titles=params.allowed_window_titles,
    )


def allow_context(params: methods.AnswerParams) -> AllowContext:
    """Return the command of `ontask`."""
    return AllowContext(params.window_class, params.window_title)


def disallow_context(params: methods.AnswerParams) -> DisallowContext:
    """Return the command of `disallow`."""
    return DisallowContext(params.window_class, params.window_title)


def extend_session(params: methods.ExtendParams) -> ExtendSession:
    """Return the command of `extend`.

    Raises:
        RpcError: it doesn't say by how much.
    """
    if params.secs is None and not params.away:
        raise RpcError("invalid_params", "extend: `secs` is missing, and so is `away`")
    return ExtendSession(params.secs or 0, away=params.away)


def refocus(params: methods.RefocusParams) -> Refocus:
    """Return the command of `refocus`."""
    return Refocus(params.because)


def close_review(params: methods.ReviewParams) -> CloseReview:
    """Return the command of `review`."""
    return CloseReview(params.outcome, params.note)


def offer_display(params: methods.DisplayParams) -> OfferDisplay:
    """Return the command of `display`."""
    display = Display(params.display, params.xauthority or "", params.session_type or "")
    return OfferDisplay(display)


def request_coach(params: methods.CoachParams) -> RequestCoach:
    """Return the command of `coach`."""
    return RequestCoach(params.intent)


def select_profile(params: methods.KnowledgePathParams) -> SelectProfile:
    """Return the command of `knowledge_path`."""
    return SelectProfile(params.path)

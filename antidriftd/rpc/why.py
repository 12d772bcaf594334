"""Explains the last verdict: which rule spoke, who was asked, and what exactly was sent."""

from antidriftd.core.drift.matching import covering
from antidriftd.core.drift.page_key import key_of
from antidriftd.core.drift.sight import Sight
from antidriftd.core.drift.state import Ruled
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.focus import sight_of
from antidriftd.core.lifecycle import require_active
from antidriftd.core.state import Active, State
from antidriftd.rpc import wire
from antidriftd.runtime.requests import Requests
from protocol import views


def explain(state: State, requests: Requests) -> views.Why:
    """Return how the last verdict of the running session came about.

    Raises:
        TransitionRefused: no session is running.
    """
    active = require_active(state.phase)
    ruled = active.drift.last
    if ruled is None:
        return views.Why(rule="none", reason="nothing has been judged in this session yet")
    judgment = requests.judgment(ruled.key) if ruled.key is not None else None
    return views.Why(
        rule=ruled.by,
        subject=wire.subject_view(ruled.window),
        on_task=ruled.on_task,
        reason=ruled.reason,
        at=wire.instant(state, ruled.at),
        allowance=_allowance(state, active, ruled),
        backend=judgment.backend if judgment else "",
        took_secs=round(judgment.took_secs, 6) if judgment else None,
        sent=judgment.sent if judgment else "",
        error=judgment.error if judgment else "",
    )


def _allowance(state: State, active: Active, ruled: Ruled) -> str:
    if ruled.by != "allowed":
        return ""
    page = key_of(ruled.window, state.rules).page
    entry = covering(active.session.allowances, ruled.window, page)
    return "" if entry is None else f"{entry.kind} {entry.value}"


def preview(state: State, requests: Requests) -> views.Why:
    """Return what would be sent about the window in front, with nothing sent.

    Raises:
        TransitionRefused: no session is running, or no window is in front.
    """
    active = require_active(state.phase)
    if state.window is None:
        raise TransitionRefused("invalid_value", "no window is in front; there is nothing to send")
    sight = sight_of(active.session, state.rules, state.window)
    judgment = requests.preview(active.session.commitment, state.window)
    spared = _why_nobody_is_asked(sight)
    return views.Why(
        rule="preview",
        subject=wire.subject_view(state.window),
        reason=spared,
        backend=judgment.backend,
        sent="" if spared else judgment.sent,
    )


def _why_nobody_is_asked(sight: Sight) -> str:
    if sight.condemned:
        return "you said that it is off task, so nobody is asked"
    if sight.allowed:
        return "it is allowed, so nobody is asked"
    if sight.nothing_to_judge:
        return "it says nothing about what you are doing, so nobody is asked"
    return ""

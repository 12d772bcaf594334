"""When a person is told on their desktop that they drift, are out of time, or still pause."""

from typing import assert_never

from antidriftd.core.drift.page_key import Key
from antidriftd.core.drift.state import OpenDrift
from antidriftd.core.drift.unanswered import look_of
from antidriftd.core.effects import ShowNotification, WithdrawNotification
from antidriftd.core.model import Moment, Notification
from antidriftd.core.notified import Notified
from antidriftd.core.presence_state import Away
from antidriftd.core.replacing import replace
from antidriftd.core.state import Active, State

_HOUR_SECS = 3600.0
_ROUNDING_SECS = 1e-3


def follow_up(state: State, now: Moment) -> State:
    """Return the state with a notification shown, repeated or withdrawn when that is due."""
    if not state.rules.notifies:
        return state
    told = _withdraw_what_is_over(state)
    wait = _wait_secs(state, told, now)
    if wait is not None and wait <= _ROUNDING_SECS:
        told = _show(state, told, now)
    return state if told is state.notified else replace(state, notified=told)


def wait_secs(state: State, now: Moment) -> float | None:
    """Return in how many seconds something is to be shown; None while only an event can tell."""
    return _wait_secs(state, state.notified, now) if state.rules.notifies else None


def changes(before: State, after: State) -> tuple[ShowNotification | WithdrawNotification, ...]:
    """Return what to do about the difference of two states."""
    old, new = before.notified, after.notified
    if old is new:
        return ()
    if new.shown is None:
        return () if old.shown is None else (WithdrawNotification(),)
    is_news = (old.shown, old.shown_at) != (new.shown, new.shown_at)
    return (ShowNotification(new.shown),) if is_news else ()


def _withdraw_what_is_over(state: State) -> Notified:
    told, active = state.notified, _active(state)
    if told.shown is None:
        return told
    match told.shown.about:
        case "drift":
            opened = _open_drift(active)
            goes_on = opened is not None and _identity(opened) == told.told_drift
        case "timebox":
            goes_on = active is not None and active.session.ends == told.told_end
        case "pause":
            paused = _long_pause(state)
            goes_on = paused is not None and paused.since == told.told_pause
        case _:
            assert_never(told.shown.about)
    return told if goes_on else replace(told, shown=None)


def _wait_secs(state: State, told: Notified, now: Moment) -> float | None:
    active, paused, rules = _active(state), _long_pause(state), state.rules
    quiet = 0.0 if rules.quiet_hours is None else rules.quiet_hours.wait_secs(now)
    if paused is not None:
        return quiet if paused.since != told.told_pause else None
    if active is None:
        return None
    opened = _open_drift(active)
    if opened is not None and _identity(opened) != told.told_drift:
        return max(quiet, _limited_secs(told, rules.notify_max_per_hour, now))
    waits = []
    if told.told_end != active.session.ends and opened is None:
        waits.append(active.session.ends - now.boot)
    if opened is not None and active.drift.status == "drifting" and rules.notify_repeat_secs:
        waits.append(told.shown_at + rules.notify_repeat_secs - now.mono)
    return max(quiet, min(waits)) if waits else None


def _limited_secs(told: Notified, max_per_hour: int, now: Moment) -> float:
    if len(told.counted) < max_per_hour:
        return 0.0
    return told.counted[-max_per_hour] + _HOUR_SECS - now.mono


def _show(state: State, told: Notified, now: Moment) -> Notified:
    if not isinstance(state.phase, Active):
        return told
    session, paused, opened = state.phase.session, _long_pause(state), _open_drift(_active(state))
    shown = Notification(
        id=told.next_id, about="timebox", next_action=session.commitment.next_action
    )
    if paused is not None:
        shown = replace(shown, about="pause")
        told = replace(told, told_pause=paused.since)
    elif opened is None:
        told = replace(told, told_end=session.ends)
    elif told.shown is not None and _identity(opened) == told.told_drift:
        return replace(told, shown_at=now.mono)  # again, and not counted
    else:
        shown = replace(shown, about="drift", window=opened.window, reason=opened.reason)
        told = _count(told, opened, now)
    return replace(told, shown=shown, shown_at=now.mono, next_id=told.next_id + 1)


def _count(told: Notified, opened: OpenDrift, now: Moment) -> Notified:
    """Note the drift as told; one that was told before isn't counted again."""
    if _identity(opened) == told.told_drift:
        return told
    recent = tuple(at for at in told.counted if at > now.mono - _HOUR_SECS)
    return replace(told, told_drift=_identity(opened), counted=(*recent, now.mono))


def _active(state: State) -> Active | None:
    """Return the session that can be told of: not one left behind, nor to somebody who is away."""
    active = state.phase
    can_be_told = isinstance(active, Active) and not active.stale and active.away is None
    return active if isinstance(active, Active) and can_be_told else None


def _long_pause(state: State) -> Away | None:
    """Return the pause that goes on, once it has been so long that the person is reminded."""
    pause = state.phase.pause if isinstance(state.phase, Active) else None
    return pause if pause is not None and pause.reminded else None


def _open_drift(active: Active | None) -> OpenDrift | None:
    """Return the open drift, unless the person is back on task."""
    return None if active is None or look_of(active.drift) == "none" else active.drift.open


def _identity(opened: OpenDrift) -> tuple[Key, float]:
    return opened.key, opened.since

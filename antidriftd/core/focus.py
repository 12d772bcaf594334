"""The window in front: which changes count, and what the drift rules get to see of it."""

from antidriftd.core import evidence as totals
from antidriftd.core.drift import pipeline
from antidriftd.core.drift.page_key import normalise_title
from antidriftd.core.drift.pipeline import Scene
from antidriftd.core.drift.sight import Sight, look
from antidriftd.core.model import Moment, SensorHealth, Window
from antidriftd.core.replacing import replace
from antidriftd.core.rules import Rules
from antidriftd.core.state import Active, Phase, Session, State
from antidriftd.core.titles import kept_class

MAX_SEEN_CLASSES = 9

BLANK_SECS = 0.05
"""Window managers name no window for a moment between two (openbox: 1 ms)."""


def scene_of(state: State, active: Active, now: Moment) -> Scene:
    """Return what the drift rules look at."""
    return Scene(
        sight=active.front,
        rules=state.rules,
        budget=state.budget,
        commanded_at=state.commanded_at,
        now=now,
        advisor_is_busy=active.nudge.request is not None,
    )


def sight_of(session: Session, rules: Rules, window: Window) -> Sight:
    """Return what the rules see of `window` in this session."""
    return look(window, rules, session.allowances, session.condemned)


def window_focused(state: State, window: Window | None, now: Moment) -> State:
    """Return the state after a sensor named the window in front, or none."""
    if window is None:
        if state.window is None or state.blank_at is not None:
            return state
        return replace(state, blank_at=now.mono + BLANK_SECS)
    if state.window is not None and _differs_in_decoration(state.window, window, state.rules):
        return state if state.blank_at is None else replace(state, blank_at=None)
    return replace(
        state,
        window=window,
        window_since=now.boot,
        blank_at=None,
        seen_classes=_seen_classes(state, window.window_class.strip()),
        phase=enter_front(state, window, now),
    )


def _seen_classes(state: State, name: str) -> tuple[str, ...]:
    """Return the programs seen lately, without those that are never allowed as a whole."""
    program, rules = name.casefold(), state.rules
    if not name or program in rules.neutral or program in rules.browsers:
        return state.seen_classes
    others = [entry for entry in state.seen_classes if entry.casefold() != program]
    return (name, *others)[:MAX_SEEN_CLASSES]


def _differs_in_decoration(old: Window, new: Window, rules: Rules) -> bool:
    """Whether only what a program animates by itself is different, or nothing at all."""
    if old == new:
        return True
    if (old.window_class, old.instance) != (new.window_class, new.instance):
        return False
    names = rules.many_faced.get(new.window_class.strip().casefold(), ())
    return normalise_title(old.title, names) == normalise_title(new.title, names)


def sensor_changed(state: State, health: SensorHealth, now: Moment) -> State:
    """Return the state after a sensor came or went; without one, nobody's input is known."""
    changed = replace(state, sensor=health)
    if health.ok:
        return changed
    unknown = replace(changed.presence, last_input=None, touched=None)
    return believe_blank(replace(changed, presence=unknown), now)


def believe_blank(state: State, now: Moment) -> State:
    """Return the state with no window in front."""
    if state.window is None:
        return replace(state, blank_at=None)
    phase = enter_front(state, None, now)
    return replace(state, window=None, window_since=now.boot, blank_at=None, phase=phase)


def look_again(state: State) -> State:
    """Return the state after what is allowed may have changed, or the session itself."""
    active = state.phase
    if not isinstance(active, Active):
        return state
    front = _sight(state, active.session, state.window)
    return state if front == active.front else replace(state, phase=replace(active, front=front))


def enter_front(state: State, window: Window | None, now: Moment) -> Phase:
    """Return the phase of `state` told that `window` is in front now."""
    active = state.phase
    if not isinstance(active, Active):
        return active
    session, front = active.session, _sight(state, active.session, window)
    if active.stale:
        return replace(active, front=front)
    drift = pipeline.focus(active.drift, active.front, front, state.rules, now)
    if window is not None:
        noted = totals.note_class(session.evidence, kept_class(window, state.rules))
        session = session if noted is session.evidence else replace(session, evidence=noted)
    return replace(active, session=session, drift=drift, front=front)


def _sight(state: State, session: Session, window: Window | None) -> Sight | None:
    return None if window is None else sight_of(session, state.rules, window)

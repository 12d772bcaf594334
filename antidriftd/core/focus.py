"""The window in front: which changes count, and what the drift rules get to see of it."""

from antidriftd.core import evidence as totals
from antidriftd.core.drift import pipeline
from antidriftd.core.drift.page_key import normalise_title
from antidriftd.core.drift.pipeline import Scene
from antidriftd.core.drift.sight import Sight, look
from antidriftd.core.model import Moment, SensorHealth, Window
from antidriftd.core.replacing import replace
from antidriftd.core.rules import Rules
from antidriftd.core.state import Active, Session, State

MAX_SEEN_CLASSES = 9

BLANK_SECS = 0.05
"""Window managers name no window for a moment between two (openbox: 1 ms)."""


def scene_of(state: State, active: Active, now: Moment) -> Scene:
    """Return what the drift rules look at."""
    return Scene(
        sight=_sight(state, active, state.window),
        rules=state.rules,
        budget=state.budget,
        commanded_at=state.commanded_at,
        now=now,
        advisor_is_busy=active.nudge.request is not None,
    )


def _sight(state: State, active: Active, window: Window | None) -> Sight | None:
    if window is None:
        return None
    return sight_of(active.session, state.rules, window)


def sight_of(session: Session, rules: Rules, window: Window) -> Sight:
    """Return what the rules see of `window` in this session."""
    return look(window, rules, session.allowances, session.condemned)


def window_focused(state: State, window: Window | None, now: Moment) -> State:
    """Return the state after a sensor named the window in front, or none."""
    if window is None:
        if state.window is None or state.blank_at is not None:
            return state
        return replace(state, blank_at=now.mono + BLANK_SECS)
    if state.blank_at is not None:
        state = replace(state, blank_at=None)
    if state.window is not None and _differs_in_decoration(state.window, window, state.rules):
        return state
    seen = replace(
        state,
        window=window,
        window_since=now.boot,
        seen_classes=_seen_classes(state, window.window_class.strip()),
    )
    return enter_front(seen, now, left=state)


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
    blank = replace(state, window=None, window_since=now.boot, blank_at=None)
    return enter_front(blank, now, left=state)


def enter_front(state: State, now: Moment, *, left: State | None = None) -> State:
    """Return the state with the session told which window is in front now.

    `left` is the state before the change; None when a session finds the window already there.
    """
    if not isinstance(state.phase, Active) or state.phase.stale:
        return state
    active, window = state.phase, state.window
    scene = scene_of(state, active, now)
    old = None if left is None else _sight(left, active, left.window)
    drift = pipeline.focus(active.drift, old, scene.sight, scene)
    session = active.session
    if window is not None:
        noted = totals.note_class(session.evidence, window.window_class)
        session = replace(session, evidence=noted)
    return replace(state, phase=replace(active, session=session, drift=drift))

"""When the user's own programs run."""

from collections.abc import Mapping
from types import MappingProxyType

from antidriftd.core.drift.state import OpenDrift
from antidriftd.core.effects import RunHook
from antidriftd.core.events import (
    AllowContext,
    CompleteSession,
    Event,
    HookEnded,
    Refocus,
    StartSession,
)
from antidriftd.core.model import HookName
from antidriftd.core.notices import notify, withdraw
from antidriftd.core.state import Active, State

_COMMANDS: Mapping[type, HookName] = MappingProxyType(
    {
        StartSession: "on_start",
        Refocus: "on_refocus",
        AllowContext: "on_ontask",
        CompleteSession: "on_complete",
    }
)


def changes(before: State, after: State, event: Event) -> tuple[RunHook, ...]:
    """Return what to run after `event`: for what was asked for, and for a drift that it opened."""
    if not after.rules.hooks:
        return ()
    found = [_COMMANDS[type(event)]] if type(event) in _COMMANDS else []
    opened, earlier = _open_drift(after), _open_drift(before)
    if opened is not None and (earlier is None or earlier.since != opened.since):
        found.append("on_drift")
    return tuple(RunHook(hook, after) for hook in found if hook in after.rules.hooks)


def ended(state: State, event: HookEnded) -> State:
    """Return the state that tells of a hook that failed, until it goes well again."""
    topic = f"hook:{event.hook}"
    if not event.detail:
        return withdraw(state, topic)
    return notify(state, topic, f"the hook {event.hook} failed: {event.detail}")


def _open_drift(state: State) -> OpenDrift | None:
    return state.phase.drift.open if isinstance(state.phase, Active) else None

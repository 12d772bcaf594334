"""What others than clients are told: hooks on standard input, shell prompts in a file."""

import os

import msgspec

from antidriftd.core.drift.unanswered import look_of
from antidriftd.core.effects import RunHook
from antidriftd.core.state import Active, State
from antidriftd.rpc.wire import state_view
from protocol import prompt
from protocol.hook_event import HookEvent


def hook_event(effect: RunHook) -> bytes:
    """Return the line that a hook gets: what happened, and how things stood then."""
    state = state_view(effect.state)
    event = HookEvent(
        event=effect.hook.removeprefix("on_"),
        runtime=state.runtime,
        intent=state.intent,
        commitment=state.commitment,
        window=state.window,
        drift=state.drift,
        evidence=state.evidence,
    )
    return msgspec.json.encode(event) + b"\n"


def _drift(active: Active) -> str:
    if active.away is None:
        return active.drift.status
    return "paused" if active.pause else "away"


def prompt_line(state: State) -> bytes:
    """Return the line that shell prompts read; there is no text from outside in it."""
    active = state.phase if isinstance(state.phase, Active) else None
    status = prompt.PromptStatus(
        pid=os.getpid(),
        runtime=state.phase.name,
        drift=_drift(active) if active else "idle",
        open_drift=look_of(active.drift) if active else "none",
        stale=active.stale if active else False,
        ends=int(active.session.ends + state.utc_offset) if active else 0,
    )
    return prompt.encode(status)

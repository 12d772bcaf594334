"""Says in a line why a window is on task, drift, or neither."""

from antidriftd.adapters.advisor.local.features import FUN, Compared
from antidriftd.adapters.advisor.local.sight import Sight
from antidriftd.core.model import Commitment
from protocol.visible import one_line

_PLAN_CHARS = 80
_NAME_CHARS = 40


def reason_for(on_task: bool | None, sight: Sight, found: Compared, commitment: Commitment) -> str:
    """Return the reason for a verdict, for a person to read."""
    shown = _shown(sight)
    plan = f"the plan is \u201c{one_line(commitment.next_action, _PLAN_CHARS)}\u201d"
    if on_task is None:
        return f"{shown}: nothing tells whether it belongs to the plan"
    if not on_task:
        cue = f", with \u201c{one_line(found.cue, _NAME_CHARS)}\u201d" if found.cue else ""
        return f"{shown}{cue}; {plan}"
    if found.shared:
        return f"{shown}; \u201c{one_line(found.shared[0], _NAME_CHARS)}\u201d is in the plan"
    if found.topics:
        return f"{shown}; it is about {found.topics[0].replace('-', ' ')}, as the plan is"
    return (
        f"{shown}; that goes with the plan" if sight.kind.family not in FUN else f"{shown}; {plan}"
    )


def _shown(sight: Sight) -> str:
    name = one_line(sight.name, _NAME_CHARS)
    return f"{sight.kind.called}, {name}" if name else sight.kind.called

"""What a key has done, in a line."""

from antidrift_cli.allowances import gained
from antidrift_cli.live.keys import Order
from antidrift_cli.render_presence import away_text, last_absence_lines
from antidrift_cli.render_time import extended_text
from protocol.methods import ExtendParams
from protocol.views import State


def done_line(order: Order, before: State, after: State) -> str:
    """Return what `order` has changed from `before` to `after`, and how to undo it."""
    match order:
        case Order(params=ExtendParams() as params):
            return extended_text(params, after)
        case Order(method="ontask"):
            return _allowed(before, after)
        case Order(method="refocus"):
            return "the drift is cleared" if _was_alarmed(before) else "no drift was open"
        case Order(method="pause"):
            return f"{away_text(after)}; p goes on"
        case Order(method="resume"):
            return " ".join(last_absence_lines(after))
        case _:
            return "the session is over"


def _allowed(before: State, after: State) -> str:
    allowed = ", ".join(str(each) for each in gained(before, after))
    if not allowed:
        return "on task: that was allowed already"
    return f"on task: {allowed} is allowed; undo: antidrift disallow"


def _was_alarmed(state: State) -> bool:
    drift = state.drift
    return drift is not None and (
        drift.open_drift is not None or drift.status in ("drifting", "pending")
    )

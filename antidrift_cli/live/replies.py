"""What a key has done, in a line."""

from antidrift_cli.allowances import gained
from antidrift_cli.durations import format_secs
from antidrift_cli.live.keys import EXTEND_SECS
from antidrift_cli.render import local_time
from protocol.views import State


def done_line(method: str, before: State, after: State) -> str:
    """Return what `method` has changed from `before` to `after`, and how to undo it."""
    match method:
        case "ontask":
            return _allowed(before, after)
        case "refocus":
            return "the drift is cleared" if _was_alarmed(before) else "nothing to clear"
        case "complete":
            return "the session is over"
        case _:
            return _extended(after)


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


def _extended(state: State) -> str:
    until = f", until {local_time(state.commitment.ends_at)}" if state.commitment else ""
    return f"extended by {format_secs(EXTEND_SECS)}{until}"

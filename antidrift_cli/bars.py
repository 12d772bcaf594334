"""What a status bar shows, as a line in the format of each bar.

A bar's text is the prompt's segment, which holds no text from outside. The next action and
a drift's reason, which others may have chosen, are only where there is room: in `plain` and in
waybar's tooltip.
"""

import html
import json
from typing import Final

from antidrift_cli.prompt_segment import minutes, segment
from antidrift_cli.render import action_of
from antidrift_cli.render_presence import away_text
from antidrift_cli.visible import cut
from protocol.prompt import PromptStatus
from protocol.views import State

FORMATS: Final = ("plain", "waybar", "i3blocks", "i3status-rust", "tmux")

OFF: Final = "off"
"""The text and the class of a bar without a daemon."""

_COLUMNS: Final = 120
_ALARMS: Final = ("drifting", "stale")
_ALARM_COLOUR: Final = "#d7263d"
_LEVELS: Final = {
    "ontask": "Good",
    "pending": "Info",
    "overtime": "Warning",
    "stale": "Warning",
    "drifting": "Critical",
}
"""The `state` of i3status-rust's custom block for each class; `Idle` for the others."""


def line(name: str, state: State | None, now: float) -> str:
    """Return the line for the bar `name` at `now`, in seconds since the epoch.

    `state` is None while there is no daemon. What each bar reads: waybar-custom(5), "return-type";
    i3blocks(1), format=json and the i3bar protocol; the custom block of i3status-rs 0.36.

    Raises:
        ValueError: there is no such format.
    """
    match name:
        case "plain":
            return " - ".join(filter(None, (_text(state, now), *_details(state))))
        case "tmux":
            return _text(state, now)
        case "waybar":
            return json.dumps(_waybar(state, now))
        case "i3blocks":
            return json.dumps(_i3blocks(state, now))
        case "i3status-rust":
            level = _LEVELS.get(_kind(state, now), "Idle")
            return json.dumps({**_texts("text", state, now), "state": level})
        case _:
            raise ValueError(f"no such format: {name}")


def due_secs(state: State | None, now: float) -> float | None:
    """Return in how many seconds a line changes by time alone; None when it doesn't."""
    status = _status(state) if state else None
    if not status or status.runtime != "active" or status.stale or not status.ends:
        return None
    if status.drift == "paused":
        return None
    return 60 - (now - status.ends) % 60


def _status(state: State) -> PromptStatus:
    """Return what the daemon writes for prompts in this state, but for its process."""
    commitment, drift = state.commitment, state.drift
    unanswered = "none"
    if drift and drift.open_drift:
        unanswered = "past" if drift.status == "ontask" else "open"
    return PromptStatus(
        pid=0,
        runtime=state.runtime,
        drift=_look(state),
        open_drift=unanswered,
        stale=bool(commitment and commitment.stale),
        # Down, so that 25 minutes never begin with 26m.
        ends=int(commitment.ends_at.timestamp()) if commitment else 0,
    )


def _look(state: State) -> str:
    if state.away:
        return "paused" if state.away.reason == "paused" else "away"
    return state.drift.status if state.drift else "idle"


def _text(state: State | None, now: float) -> str:
    return segment(_status(state), now) if state else OFF


def _kind(state: State | None, now: float) -> str:
    """Return the class: what a bar may colour by. `pending` stands for no verdict, or none yet."""
    if not state:
        return OFF
    status = _status(state)
    if status.runtime != "active":
        return status.runtime
    if status.stale:
        return "stale"
    if status.drift == "paused":
        return "paused"
    if status.open_drift == "open":
        return "drifting"
    if status.drift == "away":
        return "away"
    if status.ends <= now:
        return "overtime"
    return "ontask" if status.drift == "ontask" else "pending"


def _details(state: State | None) -> list[str]:
    """Return the next action, since when nobody is there, and the open drift's reason."""
    if not state:
        return ["antidriftd is not running"]
    unanswered = state.drift.open_drift if state.drift else None
    reason = f"drift: {unanswered.reason or 'no reason given'}" if unanswered else ""
    return [cut(text, _COLUMNS) for text in (action_of(state), away_text(state), reason) if text]


def _texts(key: str, state: State | None, now: float) -> dict[str, str]:
    """Return the text under `key`, and the shortest form of it: the minutes, else the same."""
    text = _text(state, now)
    active = state and state.runtime == "active" and text not in ("stale", "paused")
    short = minutes(_status(state).ends, now) if state and active else ""
    return {key: text, "short_text": short or text}


def _i3blocks(state: State | None, now: float) -> dict[str, str]:
    alarm = _kind(state, now) in _ALARMS
    return {**_texts("full_text", state, now), **({"color": _ALARM_COLOUR} if alarm else {})}


def _waybar(state: State | None, now: float) -> dict[str, str | int]:
    kind = _kind(state, now)
    return {
        "text": _text(state, now),
        # Waybar takes it for Pango markup.
        "tooltip": html.escape("\n".join(_details(state)), quote=False),
        "class": kind,
        "alt": kind,
        "percentage": _percentage(state, now),
    }


def _percentage(state: State | None, now: float) -> int:
    """Return how much of the planned time has gone, from 0 to 100."""
    if not state or state.runtime != "active" or not state.commitment:
        return 0
    commitment = state.commitment
    moment = commitment.paused_at.timestamp() if commitment.paused_at else now
    left = commitment.ends_at.timestamp() - moment
    return round(100 * min(1.0, max(0.0, 1 - left / max(1, commitment.timebox_secs))))

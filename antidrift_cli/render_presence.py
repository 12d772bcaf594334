"""Whether somebody is there, as lines for a person: a pause, an absence, and how each ends."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from antidrift_cli.durations import format_secs
from antidrift_cli.render_time import local_time, time_to_go
from protocol.views import AwayReason, State

_WHY: Final[Mapping[AwayReason, str]] = MappingProxyType(
    {
        "idle": "idle",
        "locked": "screen locked",
        "asleep": "asleep",
        "paused": "paused",
    }
)


def away_text(state: State) -> str:
    """Return since when nobody is there, and why; empty while somebody is."""
    away = state.away
    if not away:
        return ""
    since = local_time(away.since)
    if away.reason == "paused":
        return f"paused since {since}"
    return f"away since {since} ({_WHY[away.reason]})"


def presence_lines(state: State) -> list[str]:
    """Return since when nobody is there, and what to do about it."""
    if not state.away:
        return []
    if state.away.reason == "paused":
        return [f"{away_text(state)}: go on with: antidrift resume"]
    return [f"{away_text(state)}: nothing is judged meanwhile"]


def return_lines(before: State, after: State) -> list[str]:
    """Return what the absence or pause was that ended between two States."""
    absence, earlier = after.absence, before.absence
    # Not by their beginnings, which a clock that is set moves.
    is_known = (
        absence and earlier and (absence.reason, absence.secs) == (earlier.reason, earlier.secs)
    )
    return [] if is_known else last_absence_lines(after)


def last_absence_lines(state: State) -> list[str]:
    """Return what the last absence or pause was."""
    absence = state.absence
    if not absence:
        return []
    lasted = format_secs(absence.secs)
    if absence.reason == "paused":
        return [f"on again after a pause of {lasted}: {time_to_go(state)}"]
    return [f"back after {lasted} away ({_WHY[absence.reason]})"]

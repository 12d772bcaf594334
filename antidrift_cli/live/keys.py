"""The keys of the view: what arrives when they are pressed, and what each asks for."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from antidrift_cli.durations import format_secs
from protocol.methods import ExtendParams, NoParams, Params
from protocol.views import Absence, State

QUIT: Final = "q"
_EXTEND_SECS: Final = 300

_PASTE_BEGINS: Final = b"\x1b[200~"
_PASTE_ENDS: Final = b"\x1b[201~"

_SEQUENCE: Final = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[ -~])?")
"""An arrow, a function key, a key with Alt, or Escape alone (ECMA-48, section 5.4)."""


class Order(NamedTuple):
    """What a key asks the daemon for."""

    method: str
    params: Params


_ORDERS: Final[Mapping[str, Order]] = MappingProxyType(
    {
        "o": Order("ontask", NoParams()),
        "r": Order("refocus", NoParams()),
        "c": Order("complete", NoParams()),
        "+": Order("extend", ExtendParams(secs=_EXTEND_SECS)),
        "a": Order("extend", ExtendParams(away=True)),
    }
)

_ANSWERS: Final = ("o on task", "r refocus")

_SHORT_ABSENCE_SECS: Final = 60.0
_OFFERED_FOR_SECS: Final = 300.0
"""For so long after an absence it can be added with a key."""


class Keyboard:
    """Tells keys that were pressed from text that was pasted, which must not give orders."""

    def __init__(self) -> None:
        self._pasting = False

    def pressed(self, data: bytes) -> str:
        """Return the keys in what a terminal with bracketed paste has sent."""
        typed = b""
        while data:
            mark = _PASTE_ENDS if self._pasting else _PASTE_BEGINS
            before, found, data = data.partition(mark)
            if not self._pasting:
                typed += before
            self._pasting ^= bool(found)
        return _SEQUENCE.sub(b"", typed).decode("ascii", "ignore")


def order_for(key: str, state: State, now: float) -> Order | None:
    """Return what `key` asks for in `state`, at `now` in seconds since the epoch."""
    if key == "p":
        return Order("resume" if _is_paused(state) else "pause", NoParams())
    if key == "a" and not _recent_absence(state, now):
        return None
    return _ORDERS.get(key)


def offered(state: State, now: float) -> list[str]:
    """Return what can be pressed or typed in `state`, the most useful first."""
    match state.runtime:
        case "idle":
            return ["begin: antidrift plan WHAT", "q quit"]
        case "planning":
            return ["begin: antidrift start", "q quit"]
        case "active":
            return _session_keys(state, now)
        case "review":
            return ["close it: antidrift review", "q quit"]
        case _:
            assert_never(state.runtime)


def _session_keys(state: State, now: float) -> list[str]:
    others = ["c complete", "+ 5 min", "q quit"]
    if state.commitment and state.commitment.stale:
        return others
    if _is_paused(state):
        return ["p resume", *_ANSWERS, *others]
    absence = _recent_absence(state, now)
    added = [f"a add {format_secs(absence.secs)} away"] if absence else []
    return [*added, *_ANSWERS, "c complete", "p pause", "+ 5 min", "q quit"]


def _is_paused(state: State) -> bool:
    return state.commitment is not None and state.commitment.paused_at is not None


def _recent_absence(state: State, now: float) -> Absence | None:
    """Return an absence that is worth a word, could be added, and is only just over."""
    absence = state.absence
    if not absence or absence.added or absence.reason == "paused" or state.away:
        return None
    passed = now - absence.since.timestamp() - absence.secs
    is_worth_it = absence.secs >= _SHORT_ABSENCE_SECS and passed < _OFFERED_FOR_SECS
    return absence if is_worth_it else None

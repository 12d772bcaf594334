"""The keys of the view: what arrives when they are pressed, and what each asks for."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from protocol.methods import ExtendParams, NoParams, Params
from protocol.views import State

QUIT: Final = "q"
EXTEND_SECS: Final = 300

_PASTE_BEGINS: Final = b"\x1b[200~"
_PASTE_ENDS: Final = b"\x1b[201~"

_SEQUENCE: Final = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[ -~])?")
"""An arrow, a function key, a key with Alt, or Escape alone (ECMA-48, section 5.4)."""


class Order(NamedTuple):
    """What a key asks the daemon for."""

    method: str
    params: Params


ORDERS: Final[Mapping[str, Order]] = MappingProxyType(
    {
        "o": Order("ontask", NoParams()),
        "r": Order("refocus", NoParams()),
        "c": Order("complete", NoParams()),
        "+": Order("extend", ExtendParams(secs=EXTEND_SECS)),
    }
)

_ANSWERS: Final = ("o on task", "r refocus")


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


def offered(state: State) -> list[str]:
    """Return what can be pressed or typed in `state`, the most useful first."""
    match state.runtime:
        case "idle":
            return ["begin: antidrift plan WHAT", "q quit"]
        case "planning":
            return ["begin: antidrift start", "q quit"]
        case "active":
            answers = [] if state.commitment and state.commitment.stale else _ANSWERS
            return [*answers, "c complete", "+ 5 min", "q quit"]
        case "review":
            return ["close it: antidrift review", "q quit"]
        case _:
            assert_never(state.runtime)

"""Has the daemon look at its own parts: each look has a deadline, and none can spoil the others."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

import trio

from antidriftd.core.state import State

_log = logging.getLogger(__name__)

LOOK_SECS: Final = 8.0
"""How long one look may take; a client waits a little longer for all of them."""


class Found(NamedTuple):
    """What one look found, and what helps; an `ok` needs no help."""

    status: Literal["ok", "warning", "failed"]
    detail: str
    remedy: str = ""


Look: TypeAlias = Callable[[Callable[[], State]], Awaitable[Found]]
"""Looks at one part; it is given what returns the daemon's state at any time."""

_TOO_SLOW = Found(
    "warning", f"it gave no answer in {LOOK_SECS:g} s", "try again once the machine is less busy"
)
_BROKEN = Found("failed", "the look at it failed", "see the daemon's log, and report the mistake")


class Checkup:
    """Takes all looks at once."""

    def __init__(self, looks: Mapping[str, Look]) -> None:
        """Take the looks by the names of what they look at."""
        self._looks = looks
        self._one_at_a_time = trio.Lock()

    async def examine(self, state: Callable[[], State]) -> Mapping[str, Found]:
        """Return what every look found, in the order in which they were given.

        Raises:
            trio.WouldBlock: somebody else has it look right now.
        """
        self._one_at_a_time.acquire_nowait()
        try:
            found = dict.fromkeys(self._looks, _TOO_SLOW)

            async def look_at(name: str, look: Look) -> None:
                with trio.move_on_after(LOOK_SECS):
                    found[name] = await _fenced(name, look, state)

            async with trio.open_nursery() as nursery:
                for name, look in self._looks.items():
                    nursery.start_soon(look_at, name, look)
            return found
        finally:
            self._one_at_a_time.release()


async def _fenced(name: str, look: Look, state: Callable[[], State]) -> Found:
    try:
        return await look(state)
    except Exception:
        _log.exception("looking at %s failed", name)
        return _BROKEN

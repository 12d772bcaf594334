"""Runs the user's own programs, one after the other, in the order in which things happened."""

import logging
from collections.abc import Callable

import trio

from antidriftd.adapters.hooks.port import HookError, Hooks
from antidriftd.core.effects import RunHook
from antidriftd.core.events import HookEnded

_log = logging.getLogger(__name__)

MAX_WAITING = 16


class HookQueue:
    """Holds what is to run; one that hangs delays the others, and nothing else."""

    def __init__(self, hooks: Hooks, encode: Callable[[RunHook], bytes]) -> None:
        self._hooks = hooks
        self._encode = encode
        self._send, self._receive = trio.open_memory_channel[RunHook](MAX_WAITING)

    def add(self, effect: RunHook) -> None:
        """Have a hook run when those before it have ended; beyond the limit it is left out."""
        try:
            self._send.send_nowait(effect)
        except trio.WouldBlock:
            _log.warning("%s was left out: %d hooks wait already", effect.hook, MAX_WAITING)

    async def run(self, dispatch: Callable[[HookEnded], object]) -> None:
        """Run what is added and tell how each ended, until cancelled."""
        async for effect in self._receive:
            try:
                await self._hooks.run(effect.hook, self._encode(effect))
            except HookError as error:
                _log.warning("%s failed: %s", effect.hook, error)
                dispatch(HookEnded(effect.hook, str(error)))
            else:
                dispatch(HookEnded(effect.hook))

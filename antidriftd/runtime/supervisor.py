"""Runs a part that may fail alone, and starts it again."""

import logging
from collections.abc import Awaitable, Callable

import trio

_log = logging.getLogger(__name__)

_FIRST_WAIT_SECS = 0.5
_LONGEST_WAIT_SECS = 60.0
_WELL_AFTER_SECS = 60.0


def _tell_nobody(why: str) -> None:
    """Leave it at the log."""


async def keep_running(
    name: str,
    run: Callable[[], Awaitable[None]],
    on_failure: Callable[[str], None] = _tell_nobody,
) -> None:
    """Run `run` until cancelled; when it fails or ends, start it again with a growing wait.

    `on_failure` is told why, in one line. A part that ran for a minute starts from a short wait.
    """
    wait = _FIRST_WAIT_SECS
    while True:
        began = trio.current_time()
        try:
            await run()
            why = "it ended by itself"
        except Exception as error:
            _log.exception("%s failed", name)
            why = f"{type(error).__name__}: {error}"
        on_failure(f"{name} failed and is started again: {why}")
        if trio.current_time() - began >= _WELL_AFTER_SECS:
            wait = _FIRST_WAIT_SECS
        await trio.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT_SECS)

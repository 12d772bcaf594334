"""Waits for what nothing tells of."""

from collections.abc import Callable

import trio

from tests.clients import PATIENCE_SECS


async def wait_until(condition: Callable[[], bool], timeout_secs: float = PATIENCE_SECS) -> None:
    """Wait for a condition that nothing tells of.

    Raises:
        trio.TooSlowError: it did not come true in time.
    """
    with trio.fail_after(timeout_secs):
        while not condition():  # noqa: ASYNC110  # no event tells of it
            await trio.sleep(0.01)

"""One deadline: sleeps until it comes, never ticks."""

import math
from collections.abc import Callable

import trio


class Timer:
    """Calls back when its deadline comes; a deadline can be moved at any moment."""

    def __init__(self) -> None:
        self._due = math.inf
        self._scope: trio.CancelScope | None = None

    def arm(self, delay_secs: float | None) -> None:
        """Set the deadline `delay_secs` from now in place of the last one; None for never."""
        self._due = math.inf if delay_secs is None else trio.current_time() + delay_secs
        if self._scope is not None:
            # Moves the deadline without waking the task.
            self._scope.deadline = self._due

    async def run(self, fire: Callable[[], object]) -> None:
        """Call `fire` at each deadline, until cancelled."""
        while True:
            with trio.CancelScope(deadline=self._due) as self._scope:
                await trio.sleep_forever()
            self._scope = None
            if self._due > trio.current_time():
                continue  # moved while this task was waking up
            self._due = math.inf
            fire()

"""Hooks that run nothing, and remember what they were to run."""

import trio

from antidriftd.adapters.hooks.port import HookError
from antidriftd.core.model import HookName


class FakeHooks:
    """Runs that can hang or fail."""

    def __init__(self) -> None:
        self.ran: list[tuple[HookName, bytes]] = []
        self.trouble = ""
        """Why the next runs fail; empty when they don't."""
        self._goes_on = trio.Event()
        self._goes_on.set()

    def hang(self) -> None:
        """Have runs wait until `resume`."""
        self._goes_on = trio.Event()

    def resume(self) -> None:
        """Have the runs that wait go on."""
        self._goes_on.set()

    async def run(self, hook: HookName, event: bytes) -> None:
        """Remember the run.

        Raises:
            HookError: there is trouble.
        """
        self.ran.append((hook, event))
        await self._goes_on.wait()
        if self.trouble:
            raise HookError(self.trouble)

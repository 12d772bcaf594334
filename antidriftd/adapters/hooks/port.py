"""The port to the user's own programs."""

from typing import Protocol

from antidriftd.core.model import HookName


class HookError(Exception):
    """A hook went wrong; the message is one line for a person to read."""


class Hooks(Protocol):
    """Runs what the user wants run when something happens."""

    async def run(self, hook: HookName, event: bytes) -> None:
        """Run the program of this hook on `event`, and return when it has ended.

        Cancelling ends every process that was started.

        Raises:
            HookError: it could not be run, took too long or failed.
        """

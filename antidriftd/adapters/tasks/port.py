"""The port to a task list."""

from typing import Protocol

from antidriftd.core.model import Task


class TaskSourceError(Exception):
    """The tasks can't be had; the message is one line for a person to read."""


class TaskSource(Protocol):
    """Answers: what should I be doing right now?"""

    async def fetch(self) -> tuple[Task, ...]:
        """Return today's tasks, in the list's own order.

        Cancelling ends every process that was started.

        Raises:
            TaskSourceError: they can't be had.
        """

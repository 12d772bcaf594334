"""The port to the person's standing profile."""

from typing import Protocol

from antidriftd.core.model import Profile


class KnowledgeError(Exception):
    """The profile is there and can't be read; the message is one line for a person to read."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.path = path
        """Where it was looked for, for display."""


class KnowledgeSource(Protocol):
    """Answers: who am I, and what are my priorities?"""

    async def load(self, path: str) -> Profile:
        """Return the profile at `path`; empty means the configured default.

        A missing or blank one is no error: its text is empty.

        Raises:
            KnowledgeError: it can't be read.
        """

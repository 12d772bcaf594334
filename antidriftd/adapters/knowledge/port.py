"""The port to the person's standing profile."""

from typing import Protocol

from antidriftd.core.model import Profile


class KnowledgeError(Exception):
    """The profile is there and can't be read; the message is one line for a person to read."""

    def __init__(self, message: str, path: str, code: str = "") -> None:
        super().__init__(message)
        self.path = path
        """Where it was looked for, for display."""
        self.code = code
        """What could not be established of a node that was named."""


class KnowledgeSource(Protocol):
    """Answers: who am I, and what are my priorities?"""

    async def load(self, path: str) -> Profile:
        """Return the profile at `path`, which may be `node:BASE/NODE`; empty means the default.

        A missing or blank file is no error: its text is empty. A node that is missing is one.

        Raises:
            KnowledgeError: it can't be read.
        """

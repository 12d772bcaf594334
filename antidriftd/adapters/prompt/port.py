"""The port to the file that shell prompts read."""

from typing import Protocol


class PromptFile(Protocol):
    """One line that is there while the daemon runs."""

    def write(self, line: bytes) -> None:
        """Put `line` in place of what is there; a reader never sees half of it.

        Raises:
            OSError: it can't be written.
        """

    def remove(self) -> None:
        """Take the file away; that there is none is fine."""

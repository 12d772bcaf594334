"""A prompt file in memory."""


class FakePromptFile:
    """Keeps every line; None once it was taken away."""

    def __init__(self) -> None:
        self.lines: list[bytes | None] = []
        self.trouble: OSError | None = None

    def write(self, line: bytes) -> None:
        """Keep `line`.

        Raises:
            OSError: there is trouble.
        """
        if self.trouble:
            raise self.trouble
        self.lines.append(line)

    def remove(self) -> None:
        """Keep that it is gone."""
        self.lines.append(None)

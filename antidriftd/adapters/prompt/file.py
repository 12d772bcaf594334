"""The file beside the socket, in a directory that is ours alone."""

import os
from contextlib import suppress
from pathlib import Path


class RuntimePromptFile:
    """Is replaced as a whole by renaming; nothing of it has to survive a crash, so no fsync."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, line: bytes) -> None:
        """Put `line` in place of what is there; see `PromptFile.write`."""
        new = self._path.with_name(f"{self._path.name}.new")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(new, flags, 0o600)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)
        new.replace(self._path)

    def remove(self) -> None:
        """Take the file away."""
        with suppress(OSError):
            self._path.unlink()

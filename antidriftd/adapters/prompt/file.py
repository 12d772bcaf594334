"""The file beside the socket, in a directory that is ours alone."""

import os
from contextlib import suppress
from pathlib import Path


class RuntimePromptFile:
    """Is replaced as a whole by renaming; nothing of it has to survive a crash, so no fsync."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._new = path.with_name(f"{path.name}.new")

    def write(self, line: bytes) -> None:
        """Put `line` in place of what is there; see `PromptFile.write`."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(self._new, flags, 0o600)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)
        self._new.replace(self._path)

    def remove(self) -> None:
        """Take the file away."""
        with suppress(OSError):
            self._path.unlink()

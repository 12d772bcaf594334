"""Folders for the daemons of one test, with short names: the path of a socket has to be short."""

from pathlib import Path

WHOLE = "w"
BROKEN = "b"


def made(parent: Path, name: str | int) -> Path:
    """Return a new folder of this name."""
    folder = parent / str(name)
    folder.mkdir()
    return folder

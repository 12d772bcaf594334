"""Where a file of the state directory lies, and where one that can't be read is put."""

import os
from datetime import UTC, datetime
from pathlib import Path

from antidriftd.adapters.store.port import UnsafeStore


def followed(path: Path) -> Path:
    """Return what a symbolic link of ours points at, so that its target is what is replaced.

    Raises:
        UnsafeStore: the link is somebody else's.
        OSError: it can't be looked at.
    """
    if not path.is_symlink():
        return path
    if path.lstat().st_uid != os.geteuid():
        raise UnsafeStore(f"{path} is a symbolic link of another user")
    return Path(os.path.realpath(path))


def aside(path: Path, stamp: str) -> Path:
    """Return a free name beside `path` for what lies there and can't be read."""
    target = path.with_name(f"{path.name}.unreadable-{stamp}")
    number = 1
    while os.path.lexists(target):
        number += 1
        target = path.with_name(f"{path.name}.unreadable-{stamp}-{number}")
    return target


def stamp_of(utc: float) -> str:
    """Return a time in seconds since 1970 as such names have it."""
    return datetime.fromtimestamp(utc, UTC).strftime("%Y%m%dT%H%M%SZ")

"""Writes files so that they are on disk, whole or not at all, also when the power goes."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def replace(path: Path, temporary: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Put a file in its place by way of one beside it; readers see the old one or the new one.

    Raises:
        OSError: it can't be written; what was there is as it was.
    """
    try:
        write_new(temporary, content, mode=mode)
        temporary.rename(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(path.parent)


def write_new(path: Path, content: bytes, *, mode: int = 0o600, synced: bool = True) -> None:
    """Write a new file of our own, and wait until the disk has it; what is left there goes.

    Unless it is `synced`, nobody waits for the disk.
    """
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with _descriptor(path, flags) as descriptor:
        if mode != 0o600:  # which no umask may narrow
            os.fchmod(descriptor, mode)
        _write(descriptor, content)
        if synced:
            os.fsync(descriptor)


def append(path: Path, content: bytes) -> None:
    """Add to a file that is there, and wait until the disk has it."""
    with _descriptor(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW) as descriptor:
        _write(descriptor, content)
        os.fsync(descriptor)


def remove(path: Path) -> None:
    """Remove a file, if it is there, and wait until the disk knows."""
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
        _sync_folder(path.parent)


def _sync_folder(path: Path) -> None:
    """Wait until the disk has the names in a folder."""
    with _descriptor(path, os.O_RDONLY | os.O_DIRECTORY) as descriptor:
        os.fsync(descriptor)


def _write(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:  # a full disk and a size limit write short before they refuse
        rest = rest[os.write(descriptor, rest) :]


@contextlib.contextmanager
def _descriptor(path: Path, flags: int) -> Iterator[int]:
    descriptor = os.open(path, flags | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)

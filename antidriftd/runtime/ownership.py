"""Private directories, and the locks that make this daemon the only one."""

import contextlib
import errno
import fcntl
import os
import stat
from pathlib import Path
from typing import IO

_NO_FILE = {errno.ELOOP, errno.EISDIR, errno.ENXIO}
"""How a symbolic link, a directory and a socket refuse to be opened (open(2))."""


class UnsafePath(Exception):
    """A path that others could tamper with, or that is not what it should be."""


class AlreadyRunning(Exception):
    """Another daemon holds the lock; the message names it."""


def make_private_dir(path: Path) -> None:
    """Make sure that `path` is a directory of ours that nobody else can write to.

    What is missing is made with mode 0700.

    Raises:
        UnsafePath: it exists and belongs to someone else, is open to others, or is no directory.
        OSError: it can't be made.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise UnsafePath(f"{path} or a directory above it is not a directory") from None
    for seen in (path.lstat(), path.stat()):
        if seen.st_uid != os.geteuid():
            raise UnsafePath(f"{path} belongs to user {seen.st_uid}, not to you")
    if path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise UnsafePath(f"others can write to {path}; use a directory of your own")


def hold_lock(path: Path, description: str) -> IO[bytes]:
    """Take the lock at `path` and write our pid and `description` into it; held until closed.

    A lock, unlike a pid file or a probe, can't be left behind nor misread: it goes with its
    process (Nukesor/pueue#243, driskell/log-courier#101).

    Raises:
        AlreadyRunning: another process holds it.
        UnsafePath: `path` is not a file of ours.
        OSError: it can't be opened.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as error:
        if error.errno in _NO_FILE:
            raise UnsafePath(f"{path} is not a file") from error
        raise
    seen = os.fstat(descriptor)
    if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.geteuid():
        os.close(descriptor)
        raise UnsafePath(f"{path} is not a file of yours")
    lock = os.fdopen(descriptor, "rb+", buffering=0)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = lock.read(512).decode(errors="replace").strip()
        lock.close()
        raise AlreadyRunning(f"already running: {holder or 'another antidriftd'}") from None
    with contextlib.suppress(OSError):  # who holds it is only told to people; the disk may be full
        lock.truncate(0)
        lock.write(f"pid {os.getpid()}, {description}\n".encode())
    return lock

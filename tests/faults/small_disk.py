"""Disks that are full or nearly so, and files that may not grow."""

import resource
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests import other_user


def with_disks(sizes_kib: Iterable[tuple[Path, int]]) -> tuple[str, ...]:
    """Return the command that runs a program in whose eyes each of these is a disk of its own.

    The directories are made. `seen_by` tells where the disks are for others.
    """
    other_user.need_to_be_root()
    mounts = []
    for path, kib in sizes_kib:
        path.mkdir(mode=0o700, parents=True)
        mounts.append(f"mount -t tmpfs -o size={kib}k,mode=700 none {path}")
    return ("unshare", "-m", "sh", "-c", " && ".join([*mounts, 'exec "$@"']), "sh")


def seen_by(pid: int, path: Path) -> Path:
    """Return where `path` is as only this process sees it."""
    return Path(f"/proc/{pid}/root{path}")


def fill(path: Path, *, leave: int = 0) -> None:
    """Fill a disk to the last block, but for the bytes to leave, with a file."""
    with path.open("wb", buffering=0) as file:
        with suppress(OSError):
            while file.write(bytes(4096)):
                pass
        file.truncate(file.tell() - leave)


@contextmanager
def file_size_limit(pid: int, limit: int) -> Iterator[None]:
    """Let a process write no file beyond `limit` bytes: it writes short, as on a full disk."""
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (limit, before[1]))
    yield
    resource.prlimit(pid, resource.RLIMIT_FSIZE, before)

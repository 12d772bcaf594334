"""The key that titles are hashed with: it stays in the state directory, and no export has it."""

import os
import stat
from pathlib import Path

from antidriftd import durable
from antidriftd.adapters.store.port import StoreError, UnsafeStore

KEY_BYTES = 32


def title_key(path: Path, *, synced: bool) -> bytes:
    """Return the key that lies at `path`; one is made when there is none.

    Unless it is `synced`, a power cut may leave no key there, or half of one, and a disk that hangs
    holds nothing up.

    Raises:
        UnsafeStore: what lies there is no file of ours, or open to others.
        StoreError: it can't be read, or is no such key.
    """
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from error
    try:
        return _make(path, synced=synced)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from error


def _read(path: Path) -> bytes:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags), "rb") as file:
        seen = os.fstat(file.fileno())
        is_private = not seen.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.geteuid() or not is_private:
            raise UnsafeStore(f"{path} is not a file that only you can read")
        key = file.read(KEY_BYTES + 1)
    if len(key) != KEY_BYTES:
        raise StoreError(f"{path} does not hold a key of {KEY_BYTES} bytes")
    return key


def _make(path: Path, *, synced: bool) -> bytes:
    """Put a whole key there, also when the power goes meanwhile if it is `synced`."""
    key, temporary = os.urandom(KEY_BYTES), path.with_name(f"{path.name}.tmp")
    durable.write_new(temporary, key, synced=synced)
    temporary.rename(path)
    return key

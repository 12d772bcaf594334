"""Writes private files so that they are on disk, whole or not at all."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from antidriftd.core.knowledge.errors import CustodyError

T = TypeVar("T")


def make_folder(path: Path) -> None:
    """Make a folder that only we can look into, with those above it."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_file(path: Path, content: bytes) -> None:
    """Write a file anew; readers see the old one or the new one."""
    make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.new")
    with suppress(FileNotFoundError):
        temporary.unlink()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    _write(os.open(temporary, flags, 0o600), content)
    temporary.rename(path)
    sync_folder(path.parent)


def append_file(path: Path, content: bytes) -> None:
    """Add to a file that is there."""
    _write(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC), content)


def remove_file(path: Path) -> None:
    """Remove a file, if it is there."""
    with suppress(FileNotFoundError):
        path.unlink()
        sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Have the disk know the names in a folder."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write(descriptor: int, content: bytes) -> None:
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def encode(value: object) -> bytes:
    """Return canonical JSON: sorted keys, UTF-8, no white space."""
    return msgspec.json.encode(value, order="sorted")


def decode(content: bytes, kind: type[T], what: str) -> T:
    """Return what canonical JSON holds.

    Raises:
        CustodyError: `E_INPUT`, it is damaged; the message tells nothing of what it says.
    """
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise CustodyError("E_INPUT", f"{what} is damaged; look at it, and move it away") from error


def write_sealed(folder: Path, value: object) -> str:
    """Write a value under the hash of its bytes; return the hash."""
    content = encode(value)
    name = hashlib.sha256(content).hexdigest()
    path = folder / f"{name}.json"
    if not path.exists():
        write_file(path, content)
    return name


def read_sealed(path: Path, kind: type[T]) -> tuple[T, int]:
    """Return what a sealed file holds, and its size.

    Raises:
        CustodyError: `E_INPUT`, it isn't what its name says.
    """
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != path.stem:
        raise CustodyError("E_INPUT", f"{path} was changed; look at it, and move it away")
    return decode(content, kind, str(path)), len(content)


def sealed_files(folder: Path) -> list[Path]:
    """Return the sealed files in a folder, which need not be there."""
    return sorted(path for path in folder.glob("*.json") if not path.name.startswith("."))

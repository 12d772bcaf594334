"""The files of the evidence: private, canonical, and sealed under the hash of what they say."""

import hashlib
from pathlib import Path
from typing import TypeVar

import msgspec

from antidriftd import durable
from antidriftd.core.knowledge.errors import CustodyError

T = TypeVar("T")


def make_folder(path: Path) -> None:
    """Make a folder that only we can look into, with those above it."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_file(path: Path, content: bytes) -> None:
    """Write a file anew, and its folder if there is none."""
    make_folder(path.parent)
    durable.replace(path, path.with_name(f".{path.name}.new"), content)


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

"""Reads the small files of a base: regular ones, inside of it, and never through a link."""

import os
import stat
from pathlib import Path

from antidriftd.core.knowledge.errors import CustodyCode, CustodyError
from antidriftd.core.knowledge.marker import MARKER_FILE, MAX_MARKER_BYTES, Marker, parse_marker

MAX_FILE_BYTES = 64 * 1024


def read_marker(root: Path) -> Marker:
    """Return the marker of the base in `root`.

    Raises:
        CustodyError: there is no base, or it can't be read.
    """
    if not root.is_dir():
        raise CustodyError("E_BASE", f"there is no directory {root}; correct knowledge.toml")
    return parse_marker(read_regular(root / MARKER_FILE, "E_IDENTITY", MAX_MARKER_BYTES))


def inside(root: Path, file: str) -> Path:
    """Return the path of a node's file.

    Raises:
        CustodyError: `E_PATH`, a link leads it out of the base.
    """
    path = root / file
    if not path.parent.resolve().is_relative_to(root.resolve()):
        raise CustodyError("E_PATH", f"{path} leads out of its base")
    return path


def read_regular(path: Path, missing: CustodyCode, limit: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a regular file.

    Raises:
        CustodyError: `missing`, it isn't there; `E_PATH`, it is no regular file;
            `E_ACCESS`, it can't be read; `E_TOO_LARGE`.
    """
    try:
        # A link in its place must not be followed, nor a FIFO block.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags)
    except FileNotFoundError as error:
        raise CustodyError(missing, f"there is no file {path}; make it, or name another") from error
    except OSError as error:
        if path.is_symlink():
            raise CustodyError("E_PATH", f"{path} is a symbolic link; name its target") from error
        raise CustodyError("E_ACCESS", f"{path}: {error.strerror}; make it readable") from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise CustodyError("E_PATH", f"{path} is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise CustodyError("E_ACCESS", f"{path}: {error.strerror}") from error
    finally:
        os.close(descriptor)
    if len(content) > limit:
        raise CustodyError("E_TOO_LARGE", f"{path} has more than {limit} bytes; shorten it")
    return content

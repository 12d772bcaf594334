"""Where an export goes: standard output, or a file that is there whole or not at all."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from antidrift_cli.errors import Failed


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, each safe to show."""
    _write(lines, sys.stdout)
    sys.stdout.flush()


def write_file(lines: Iterable[str], path: Path) -> None:
    """Write lines to a file that only its owner can read, once it is whole.

    A program that carries the folder to other machines never meets half of it.

    Raises:
        Failed: it can't be written; a file that was there is as it was.
    """
    import tempfile  # here, as most exports go to a pipe

    if path.exists() and not path.is_file():
        raise Failed(f"{path} is no file")
    try:
        descriptor, name = tempfile.mkstemp(prefix=".antidrift-", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise _cant_write(path, error) from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            _write(lines, file)
            file.flush()
            os.fsync(descriptor)
        Path(name).replace(path)
    except OSError as error:
        raise _cant_write(path, error) from error
    finally:
        with suppress(FileNotFoundError):
            Path(name).unlink()


def _write(lines: Iterable[str], stream: TextIO) -> None:
    for line in lines:
        stream.write(f"{line}\n")


def _cant_write(path: Path, error: OSError) -> Failed:
    return Failed(f"can't write {path}: {error.strerror}")

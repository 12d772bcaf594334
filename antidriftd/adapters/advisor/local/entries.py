"""Reads the judge's data files: `name [more]: entry, entry`, ours first and then the user's."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from protocol.visible import one_line

_log = logging.getLogger(__name__)
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a data file: `name [tags]: entries`."""

    name: str
    tags: tuple[str, ...]
    entries: str


class DataFiles:
    """The directories of the data: one of ours, and maybe one of the user's that adds to it."""

    def __init__(self, own: Path, users: Path | None = None) -> None:
        self.own = own
        self._users = users

    def texts(self, name: str) -> Iterator[str]:
        """Yield the lines of a file that are neither blank nor a comment; the user's come last.

        A user's file that can't be read is logged in one line and left out.

        Raises:
            OSError, ValueError: ours can't be read.
        """
        yield from _lines((self.own / name).read_text(encoding="utf-8"))
        if self._users is None:
            return
        path = self._users / name
        try:
            if path.stat().st_size > _MAX_BYTES:
                raise ValueError(f"it is larger than {_MAX_BYTES} bytes")
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            _log.warning("%s is left out: %s", path, one_line(str(error)))
            return
        yield from _lines(text)

    def lines(self, name: str) -> Iterator[Line]:
        """Yield the parsed lines of a file; one of another form is logged and left out."""
        for text in self.texts(name):
            head, colon, entries = text.partition(":")
            kind, _, tags = head.partition("[")
            if not colon or not kind.strip():
                _log.warning("%s: a line without a name and a colon: %s", name, one_line(text, 60))
                continue
            yield Line(kind.strip(), tuple(tags.rstrip("] ").split()), entries.strip())


def split_entries(entries: str) -> list[str]:
    """Return the entries of a line, which stand between commas."""
    return [entry.strip() for entry in entries.split(",") if entry.strip()]


def _lines(text: str) -> Iterator[str]:
    stripped = (line.strip() for line in text.splitlines())
    return (line for line in stripped if line and not line.startswith("#"))

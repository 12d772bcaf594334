"""Exports of several machines read back, and every session counted once."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from antidrift_cli.errors import Failed
from antidrift_cli.history.sessions import PastSession
from antidrift_cli.output import say_aside
from antidrift_cli.visible import cut

EXPORT_VERSION: Final = 1
"""The `antidrift_export` of a line; it rises when an older reader would misread a newer line."""

_PATH_COLUMNS: Final = 120
_REASON_COLUMNS: Final = 160


class ExportedSession(PastSession, frozen=True, kw_only=True):
    """A line of an export; a reader ignores members that it doesn't know."""

    antidrift_export: int


def merged(sessions: Iterable[PastSession]) -> list[PastSession]:
    """Return each session once, by its id, the earliest first.

    Of two that differ the one that tells more counts: with a review, then with the later end, and
    then whichever is the larger, so that the order in which they come doesn't matter.
    """
    best: dict[str, PastSession] = {}
    for session in sessions:
        known = best.get(session.session_id)
        if known is None or (known != session and _rank(session) > _rank(known)):
            best[session.session_id] = session
    return sorted(best.values(), key=lambda session: (session.started, session.session_id))


def read_exports(folders: Iterable[Path], since: datetime | None) -> Iterator[PastSession]:
    """Yield the sessions of all files `*.jsonl` that lie directly in `folders`.

    Lines that are no session are left out; one message aside names the first and counts the rest.

    Raises:
        Failed: a folder or a file can't be read.
    """
    bad = _BadLines()
    for folder in folders:
        for path in _files(folder):
            for number, line in _lines(path):
                session = bad.decode(line, path, number)
                if session and (since is None or session.started >= since):
                    yield session
    bad.tell()


class _BadLines:
    """The first line that is no session of an export, and how many there are."""

    def __init__(self) -> None:
        self._decoder = msgspec.json.Decoder(ExportedSession)
        self._first = ""
        self._others = 0

    def decode(self, line: bytes, path: Path, number: int) -> PastSession | None:
        try:
            session = self._decoder.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            self._leave_out(path, number, str(error))
            return None
        if session.antidrift_export != EXPORT_VERSION:
            self._leave_out(path, number, f"version {session.antidrift_export} is not known")
            return None
        return session

    def tell(self) -> None:
        if self._first:
            rest = f"; {_more(self._others)} left out too" if self._others else ""
            say_aside([f"left out: {self._first}{rest}"])

    def _leave_out(self, path: Path, number: int, reason: str) -> None:
        if self._first:
            self._others += 1
        else:
            name = cut(str(path), _PATH_COLUMNS)
            why = cut(reason, _REASON_COLUMNS)
            self._first = f"{name}, line {number}: no session of an export ({why})"


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(
            each for each in folder.iterdir() if each.suffix == ".jsonl" and each.is_file()
        )
    except OSError as error:
        raise Failed(f"the exports in {folder} can't be read: {error.strerror}") from error


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line
    except OSError as error:
        raise Failed(f"the export {path} can't be read: {error.strerror}") from error


def _rank(session: PastSession) -> tuple[bool, bool, datetime, bytes]:
    told = msgspec.json.encode(session)
    return bool(session.outcome), bool(session.note), session.ended, told


def _more(count: int) -> str:
    return "1 more line was" if count == 1 else f"{count} more lines were"

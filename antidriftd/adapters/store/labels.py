"""Labels out of the history: what the person said of windows, in sessions that are over.

SQLite is imported when there is a history to look into.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import trio

from antidriftd.adapters.store.history_schema import MIGRATIONS
from antidriftd.adapters.store.own_file import followed
from antidriftd.adapters.store.port import StoreError
from antidriftd.core.learned import MAX_LABELS, ClassUse, Label, Past
from antidriftd.core.model import Commitment

if TYPE_CHECKING:
    import sqlite3

_log = logging.getLogger(__name__)

_LABELS: Final = """
    SELECT session_id, entry, at, kind, classes.text, page, titles.text, next_action,
           success_condition, timebox_secs
    FROM answers JOIN ended_sessions USING (session)
    JOIN session_ids ON session_ids.id = session
    JOIN names AS classes ON classes.id = class JOIN names AS titles ON titles.id = title
    WHERE class <> 0 AND kind IN ('ontask', 'offtask', 'refocus')
    ORDER BY at DESC, session DESC, entry DESC LIMIT ?
"""
_USES: Final = """
    SELECT next_action, success_condition, timebox_secs, text, secs
    FROM session_classes JOIN ended_sessions USING (session) JOIN names ON names.id = class
    WHERE class <> 0 AND bucket = (SELECT id FROM buckets WHERE name = 'ontask')
    ORDER BY session DESC LIMIT ?
"""
_FORGET: Final = """
    UPDATE answers SET class = 0, title = 0, page = ''
    WHERE entry = ? AND session = (SELECT id FROM session_ids WHERE session_id = ?)
"""
# Of time that was spent, the history still has the class, and the title where titles are kept.
_DROP_NAME: Final = """
    DELETE FROM names WHERE id <> 0 AND text = :text
    AND NOT EXISTS (SELECT 1 FROM intervals WHERE class = id OR title = id)
    AND NOT EXISTS (SELECT 1 FROM verdicts WHERE class = id OR title = id)
    AND NOT EXISTS (SELECT 1 FROM answers WHERE class = id OR title = id)
    AND NOT EXISTS (SELECT 1 FROM session_classes WHERE class = id)
"""

_LabelRow = tuple[str, int, float, str, str, str, str, str, str, int]
_UseRow = tuple[str, str, int, str, float]


class SqliteLabelStore:
    """Reads the history's file in a thread, opened for each look; forgetting writes to it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._one_at_a_time = trio.CapacityLimiter(1)

    async def read(self, most: int = MAX_LABELS) -> Past:
        """Return what is known; what can't be read is logged in a line, and is an empty past."""
        return await trio.to_thread.run_sync(
            self._read, most, limiter=self._one_at_a_time, abandon_on_cancel=True
        )

    def _read(self, most: int) -> Past:
        try:
            path = followed(self._path)
            return _read(path, most) if path.exists() else Past()
        except (_Unusable, StoreError, OSError, msgspec.ValidationError) as error:
            _log.warning("nothing is learned from the history: %s", error)
            return Past()

    async def forget(self, labels: Sequence[Label]) -> None:
        """Take the window away from these answers; what led there is still known of them."""
        await trio.to_thread.run_sync(self._forget, labels, limiter=self._one_at_a_time)

    def _forget(self, labels: Sequence[Label]) -> None:
        try:
            _forget(followed(self._path), labels)
        except (_Unusable, OSError) as error:
            raise StoreError(f"{self._path}: {error}") from error


class _Unusable(Exception):
    """The history can't be used; the message is what SQLite says, or what is wrong with it."""


@contextmanager
def _trouble_told() -> Iterator[None]:
    import sqlite3

    from antidriftd.adapters.store.history_file import Unreadable, damage_told

    try:
        with damage_told():
            yield
    except (Unreadable, sqlite3.Error) as error:
        raise _Unusable(str(error)) from error


def _read(path: Path, most: int) -> Past:
    from antidriftd.adapters.store import history_file

    with _trouble_told(), history_file.opened_to_read(path, len(MIGRATIONS)) as connection:
        return Past() if connection is None else _past(connection, most)


def _forget(path: Path, labels: Sequence[Label]) -> None:
    from antidriftd.adapters.store import history_file

    with _trouble_told(), history_file.opened(path, MIGRATIONS) as connection:
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            _take_windows_away(connection, labels)
        # As closing does for the last who has the file open, which we may not be.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _take_windows_away(connection: "sqlite3.Connection", labels: Sequence[Label]) -> None:
    connection.executemany(_FORGET, [(label.entry, label.session_id) for label in labels])
    for text in {text for label in labels for text in (label.window_class, label.title)}:
        connection.execute(_DROP_NAME, {"text": text})


def _past(connection: "sqlite3.Connection", most: int) -> Past:
    ((as_of,),) = connection.execute("SELECT max(ended) FROM ended_sessions")
    return Past(
        tuple(map(_label, connection.execute(_LABELS, (most,)))),
        tuple(map(_use, connection.execute(_USES, (most,)))),
        as_of=msgspec.convert(as_of or 0.0, float),
    )


def _label(row: tuple[Any, ...]) -> Label:
    """Return a row as a label.

    Raises:
        msgspec.ValidationError: somebody put something else there.
    """
    session_id, entry, at, kind, window_class, page, title, action, success, secs = msgspec.convert(
        row, _LabelRow
    )
    return Label(
        session_id=session_id,
        entry=entry,
        at=at,
        on_task=kind == "ontask",
        window_class=window_class,
        page=page,
        title=title,
        commitment=Commitment(action, success, secs),
    )


def _use(row: tuple[Any, ...]) -> ClassUse:
    action, success, timebox, window_class, secs = msgspec.convert(row, _UseRow)
    return ClassUse(
        commitment=Commitment(action, success, timebox),
        window_class=window_class,
        ontask_secs=secs,
    )

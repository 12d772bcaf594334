"""The daemon's history, read beside it: never made, never changed, never waited for."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from antidrift_cli.errors import Failed
from antidrift_cli.history.sessions import (
    Answer,
    ClassTime,
    DetailedSession,
    Interval,
    PastSession,
    SlotTime,
    Verdict,
)
from protocol.history import HISTORY_FILE, HISTORY_SCHEMA
from protocol.paths import NoHome, state_dir

Row = tuple[Any, ...]
"""What SQLite gives; the daemon's schema says what is in it."""

_COLUMNS = (
    "session_id, host, intent, next_action, success_condition, timebox_secs, started, ended, "
    "planned_end, ontask_secs, drift_secs, unjudged_secs, away_secs, switches, drift_episodes, "
    "outcome, note, session"
)
_SINCE = "FROM sessions WHERE started >= ?"
_SESSIONS = f"SELECT {_COLUMNS} {_SINCE} ORDER BY session"  # constants alone
_LAST = f"SELECT {_COLUMNS} {_SINCE} ORDER BY session DESC LIMIT ?"  # the same
_CLASSES = """
    SELECT text, name, secs FROM session_classes JOIN names ON names.id = class
    JOIN buckets ON buckets.id = bucket WHERE session = ? ORDER BY secs DESC, text, name
"""
_SLOTS = """
    SELECT began, name, secs FROM session_slots JOIN buckets ON buckets.id = bucket
    WHERE session = ? ORDER BY began, bucket
"""
_ANSWERS = """
    SELECT at, kind, classes.text, titles.text, cause FROM answers
    JOIN names AS classes ON classes.id = class JOIN names AS titles ON titles.id = title
    WHERE session = ? ORDER BY entry
"""
_INTERVALS = """
    SELECT began, secs, classes.text, titles.text, name, switches, drift_episodes FROM intervals
    JOIN names AS classes ON classes.id = class JOIN names AS titles ON titles.id = title
    JOIN buckets ON buckets.id = bucket WHERE session = ? ORDER BY number
"""
_VERDICTS = """
    SELECT at, classes.text, titles.text, on_task, reason FROM verdicts
    JOIN names AS classes ON classes.id = class JOIN names AS titles ON titles.id = title
    WHERE session = ? ORDER BY entry
"""


class History:
    """A history as it stood when it was opened, a session at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @property
    def host(self) -> str:
        """The random id of the state directory."""
        ((host,),) = self.rows("SELECT value FROM meta WHERE key = 'host'")
        return str(host)

    def sessions(self, since: datetime | None = None) -> Iterator[PastSession]:
        """Yield the sessions that began at `since` or later, in the order they were recorded."""
        for row in self._sessions(since):
            yield PastSession(**self._summary(row))

    def last(self, count: int | None, since: datetime | None = None) -> list[PastSession]:
        """Return the sessions recorded last, at most `count` if it is given, the newest last."""
        # To SQLite a negative limit is none.
        rows = list(self.rows(_LAST, secs_of(since), -1 if count is None else count))
        return [PastSession(**self._summary(row)) for row in reversed(rows)]

    def details(self, since: datetime | None = None) -> Iterator[DetailedSession]:
        """Yield sessions as `sessions` does, with every stretch of them."""
        for row in self._sessions(since):
            yield DetailedSession(
                **self._summary(row),
                intervals=tuple(map(_interval, self.rows(_INTERVALS, row[-1]))),
                verdicts=tuple(map(_verdict, self.rows(_VERDICTS, row[-1]))),
            )

    def _sessions(self, since: datetime | None) -> Iterator[Row]:
        return self.rows(_SESSIONS, secs_of(since))

    def _summary(self, row: Row) -> dict[str, Any]:
        *columns, session = row
        fields: dict[str, Any] = dict(zip(_COLUMNS.split(", "), columns, strict=False))
        for name in ("started", "ended", "planned_end"):
            fields[name] = _moment(fields[name])
        fields["by_class"] = tuple(map(_class_time, self.rows(_CLASSES, session)))
        fields["by_slot"] = tuple(map(_slot_time, self.rows(_SLOTS, session)))
        fields["answers"] = tuple(map(_answer, self.rows(_ANSWERS, session)))
        return fields

    def rows(self, statement: str, *values: float) -> Iterator[Row]:
        """Yield what a statement of SQL gives."""
        return self._connection.execute(statement, values)


@contextmanager
def open_history(environ: Mapping[str, str]) -> Iterator[History | None]:
    """Open the history of the state directory that `environ` names; None when none is there yet.

    All that is read of it is of one moment, whatever the daemon writes meanwhile.

    Raises:
        Failed: it can't be read, here or later; the message says why.
    """
    path = _path(environ)
    if not _is_there(path):
        yield None
        return
    with _named_failures(path):
        # https://sqlite.org/uri.html: mode=ro never creates.
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            connection.execute("BEGIN")
            yield History(connection) if _has_sessions(connection, path) else None


def _path(environ: Mapping[str, str]) -> Path:
    try:
        return Path(state_dir(environ), HISTORY_FILE)
    except NoHome as error:
        raise Failed(str(error)) from error


def _is_there(path: Path) -> bool:
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Failed(f"the history at {path} can't be read: {error.strerror}") from error
    return True


def _has_sessions(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file is a history already; it is empty before the first write."""
    ((schema,),) = connection.execute("PRAGMA user_version")
    if schema > HISTORY_SCHEMA:
        raise Failed(
            f"the history at {path} has schema {schema}, and this client knows "
            f"{HISTORY_SCHEMA}: update antidrift"
        )
    return bool(schema)


@contextmanager
def _named_failures(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, ValueError, ArithmeticError) as error:
        raise Failed(f"the history at {path} can't be read: {error}") from error


def secs_of(since: datetime | None) -> float:
    """Return a moment as the history has it; no moment is one before all others."""
    return since.timestamp() if since else 0.0


def _moment(secs: float) -> datetime:
    return datetime.fromtimestamp(secs, UTC)


def _class_time(row: Row) -> ClassTime:
    window_class, status, secs = row
    return ClassTime(window_class=window_class, status=status, secs=secs)


def _slot_time(row: Row) -> SlotTime:
    began, status, secs = row
    return SlotTime(began=_moment(began), status=status, secs=secs)


def _answer(row: Row) -> Answer:
    at, kind, window_class, title, cause = row
    return Answer(at=_moment(at), kind=kind, window_class=window_class, title=title, cause=cause)


def _interval(row: Row) -> Interval:
    began, secs, window_class, title, status, switches, episodes = row
    return Interval(
        began=_moment(began),
        secs=secs,
        window_class=window_class,
        title=title,
        status=status,
        switches=switches,
        drift_episodes=episodes,
    )


def _verdict(row: Row) -> Verdict:
    at, window_class, title, on_task, reason = row
    return Verdict(
        at=_moment(at),
        window_class=window_class,
        title=title,
        on_task=None if on_task is None else bool(on_task),
        reason=reason,
    )

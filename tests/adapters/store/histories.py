"""Histories for tests: small sessions, Hypothesis's idea of any, and all that a file has."""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import trio
from hypothesis import strategies as st

from antidriftd.adapters.store.history import SqliteHistoryStore
from antidriftd.core.evidence import Bucket
from antidriftd.core.recording_state import (
    AnswerGiven,
    Entry,
    Interval,
    Record,
    SessionEnded,
    SessionReviewed,
    VerdictGiven,
)
from tests.adapters.store.samples import RECORDS, SECS, TEXTS

BEGAN = 1_800_000_000.0

ENDED = st.builds(
    SessionEnded,
    session_id=TEXTS,
    intent=TEXTS,
    next_action=TEXTS,
    success_condition=TEXTS,
    timebox_secs=st.integers(1, 86_400),
    started=st.floats(0, 4e9),
    ended=st.floats(0, 4e9),
    planned_end=st.floats(0, 4e9),
    ontask_secs=SECS,
    drift_secs=SECS,
    unjudged_secs=SECS,
    away_secs=SECS,
    switches=st.integers(0, 10**6),
    drift_episodes=st.integers(0, 10**6),
)
ANY_RECORD = ENDED | RECORDS


def new_store(path: Path) -> SqliteHistoryStore:
    """Return a store in whose time it is always 1970."""
    return SqliteHistoryStore(path, lambda: 0.0)


def numbered(*records: Record, first: int = 1) -> list[Entry]:
    """Return the records as entries, numbered from `first`."""
    return [Entry(number, record) for number, record in enumerate(records, start=first)]


def interval(
    session_id: str,
    number: int,
    *,
    began: float = BEGAN,
    secs: float = 60.0,
    window_class: str = "code",
    title: str = "",
    bucket: Bucket = "ontask",
) -> Interval:
    """Return a stretch of a session."""
    return Interval(
        session_id=session_id,
        number=number,
        began=began,
        secs=secs,
        window_class=window_class,
        title=title,
        bucket=bucket,
        switches=0,
        drift_episodes=0,
    )


def ended(session_id: str, *, ontask_secs: float = 60.0) -> SessionEnded:
    """Return a session that is over."""
    return SessionEnded(
        session_id=session_id,
        intent="read",
        next_action="write",
        success_condition="it is sent",
        timebox_secs=1500,
        started=BEGAN,
        ended=BEGAN + ontask_secs,
        planned_end=BEGAN + 1500,
        ontask_secs=ontask_secs,
        drift_secs=0.0,
        unjudged_secs=0.0,
        away_secs=0.0,
        switches=3,
        drift_episodes=1,
    )


def reviewed(session_id: str, outcome: str = "done", note: str = "well") -> SessionReviewed:
    """Return what was said of a session."""
    return SessionReviewed(session_id=session_id, outcome=outcome, note=note)


def whole(session_id: str, *, first: int = 1) -> list[Entry]:
    """Return all there is to say of a session: six entries, numbered from `first`."""
    return numbered(
        interval(session_id, 1, secs=40.0),
        VerdictGiven(
            session_id=session_id,
            at=BEGAN,
            window_class="mpv",
            title="a film",
            on_task=False,
            reason="a film",
        ),
        AnswerGiven(
            session_id=session_id,
            at=BEGAN,
            kind="refocus",
            window_class="mpv",
            title="a film",
            cause="mail",
        ),
        interval(session_id, 2, began=BEGAN + 40.0, secs=20.0, window_class="mpv", bucket="drift"),
        ended(session_id),
        reviewed(session_id),
        first=first,
    )


_CONTENTS = {
    "sessions": "SELECT * FROM sessions ORDER BY session_id",
    "intervals": "SELECT * FROM named_intervals ORDER BY session_id, number",
    "verdicts": """
        SELECT session_id, entry, at, classes.text AS class,
               titles.text AS title, on_task, reason FROM verdicts
        JOIN session_ids ON session_ids.id = session JOIN names AS classes ON classes.id = class
        JOIN names AS titles ON titles.id = title ORDER BY session_id, entry
    """,
    "answers": """
        SELECT session_id, entry, at, kind, classes.text AS class,
               titles.text AS title, cause FROM answers
        JOIN session_ids ON session_ids.id = session JOIN names AS classes ON classes.id = class
        JOIN names AS titles ON titles.id = title ORDER BY session_id, entry
    """,
    "reviews": """
        SELECT session_id, outcome, note FROM reviews
        JOIN session_ids ON session_ids.id = session ORDER BY session_id
    """,
    "classes": """
        SELECT session_id, text AS class, name AS bucket, secs FROM session_classes
        JOIN session_ids ON session_ids.id = session JOIN names ON names.id = class
        JOIN buckets ON buckets.id = bucket ORDER BY session_id, names.text, buckets.name
    """,
    "slots": """
        SELECT session_id, began, name AS bucket, secs FROM session_slots
        JOIN session_ids ON session_ids.id = session JOIN buckets ON buckets.id = bucket
        ORDER BY session_id, began, buckets.name
    """,
}
_OF_THIS_FILE = {"host", "session"}
"""What two files with the same history need not have in common."""

Contents = dict[str, list[dict[str, Any]]]


def contents(path: Path) -> Contents:
    """Return all that the history at `path` says, which must be sound."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        return {name: list(_rows(connection, query)) for name, query in _CONTENTS.items()}


def contents_if_any(path: Path) -> Contents:
    """Return the same, or nothing of a history that isn't there, or is just being made."""
    with suppress(sqlite3.OperationalError):
        return contents(path)
    return {name: [] for name in _CONTENTS}


@contextmanager
def copy_of_history(path: Path) -> Iterator[Path]:
    """Yield a copy of a history that another process has on a disk of its own.

    SQLite resolves a path, and so can't follow one into what another process sees. The copy is torn
    where the daemon merges the one file into the other meanwhile: read it again on a
    `sqlite3.DatabaseError` or an `AssertionError` of `contents`.
    """
    with TemporaryDirectory() as directory:
        for ending in ("", "-journal", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(f"{path}{ending}", directory)
        yield Path(directory, path.name)


def _rows(connection: sqlite3.Connection, query: str) -> Iterable[dict[str, Any]]:
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description]
    for row in cursor:
        named = zip(names, row, strict=True)
        yield {name: value for name, value in named if name not in _OF_THIS_FILE}


def sessions(path: Path) -> list[str]:
    """Return the ids of the sessions that are over."""
    return [row["session_id"] for row in contents(path)["sessions"]]


def write(store: SqliteHistoryStore, entries: Sequence[Entry]) -> str:
    """Write the entries; return what trouble there was."""
    return trio.run(store.write, entries)


def files(directory: Path) -> dict[str, bytes]:
    """Return what is in the files of a directory."""
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}

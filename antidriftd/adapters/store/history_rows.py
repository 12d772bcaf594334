"""What becomes of an entry in the history's tables, and what is summed of a session's intervals."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Final

from antidriftd.adapters.store.history_schema import SLOT_SECS
from antidriftd.core.recording_state import (
    AnswerGiven,
    Entry,
    Interval,
    Record,
    SessionEnded,
    SessionReviewed,
    VerdictGiven,
)

_PUT: Final[Mapping[type[Record], str]] = MappingProxyType(
    {
        SessionEnded: """
            INSERT OR REPLACE INTO ended_sessions
            SELECT id, :intent, :next_action, :success_condition, :timebox_secs, :started, :ended,
                   :planned_end, :ontask_secs, :drift_secs, :unjudged_secs, :away_secs,
                   :switches, :drift_episodes
            FROM session_ids WHERE session_id = :session_id
        """,
        SessionReviewed: """
            INSERT OR REPLACE INTO reviews
            SELECT id, :outcome, :note FROM session_ids WHERE session_id = :session_id
        """,
        Interval: """
            INSERT OR REPLACE INTO intervals
            SELECT session_ids.id, :number, :began, :secs, classes.id, titles.id, buckets.id,
                   :switches, :drift_episodes
            FROM session_ids, names AS classes, names AS titles, buckets
            WHERE session_id = :session_id AND classes.text = :window_class
              AND titles.text = :title AND buckets.name = :bucket
        """,
        VerdictGiven: """
            INSERT OR REPLACE INTO verdicts
            SELECT session_ids.id, :entry, :at, classes.id, titles.id, :on_task, :reason,
                   :shadow
            FROM session_ids, names AS classes, names AS titles
            WHERE session_id = :session_id AND classes.text = :window_class
              AND titles.text = :title
        """,
        AnswerGiven: """
            INSERT OR REPLACE INTO answers
            SELECT session_ids.id, :entry, :at, :kind, classes.id, titles.id, :cause,
                   :page
            FROM session_ids, names AS classes, names AS titles
            WHERE session_id = :session_id AND classes.text = :window_class
              AND titles.text = :title
        """,
    }
)

_FORGET_SUMS: Final = (
    "DELETE FROM session_classes WHERE session = :session",
    "DELETE FROM session_slots WHERE session = :session",
)
_SUM: Final = (
    """
    INSERT INTO session_classes
    SELECT session, class, bucket, sum(secs) FROM intervals
    WHERE session = :session AND secs > 0 GROUP BY class, bucket
    """,
    """
    WITH RECURSIVE parts(bucket, began, until, ended) AS (
        SELECT bucket, began, min(began + secs, (CAST(began / :slot AS INTEGER) + 1) * :slot),
               began + secs
        FROM intervals WHERE session = :session AND secs > 0
        UNION ALL
        SELECT bucket, until, min(until + :slot, ended), ended FROM parts WHERE until < ended
    )
    INSERT INTO session_slots
    SELECT :session, CAST(began / :slot AS INTEGER) * :slot AS slot, bucket, sum(until - began)
    FROM parts GROUP BY slot, bucket
    """,
)


def put(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """Put the entries into the tables, each in place of an earlier one that is the same.

    Raises:
        sqlite3.Error: the history can't be written.
    """
    to_sum = set()
    for entry in entries:
        record = entry.record
        _put_names(connection, record)
        connection.execute(_PUT[type(record)], {"entry": entry.number, **asdict(record)})
        if isinstance(record, Interval | SessionEnded):
            to_sum.add(record.session_id)
    for session_id in to_sum:
        _sum_up(connection, session_id)


def _put_names(connection: sqlite3.Connection, record: Record) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO session_ids (session_id) VALUES (?)", (record.session_id,)
    )
    if isinstance(record, Interval | VerdictGiven | AnswerGiven):
        connection.executemany(
            "INSERT OR IGNORE INTO names (text) VALUES (?)",
            [(record.window_class,), (record.title,)],
        )


def _sum_up(connection: sqlite3.Connection, session_id: str) -> None:
    """Sum up the intervals of a session, if it is over."""
    over = connection.execute(
        "SELECT session FROM sessions WHERE session_id = ?", (session_id,)
    ).fetchone()
    if over is None:
        return
    values = {"session": over[0], "slot": SLOT_SECS}
    for statement in (*_FORGET_SUMS, *_SUM):
        connection.execute(statement, values)

"""A year's history made up at once: what a year of work leaves, in the tables that keep it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from antidriftd.adapters.store import history_file, history_rows
from antidriftd.adapters.store.history_schema import MIGRATIONS
from antidriftd.core.recording_state import (
    AnswerGiven,
    Entry,
    Record,
    SessionEnded,
    SessionReviewed,
    VerdictGiven,
)

BEGAN: Final = 1_764_547_200
"""The first of December 2025 in UTC."""

_YEAR_SECS: Final = 365 * 86_400
_CLASSES: Final = ("", "code", "kitty", "firefox", "zathura", "slack", "mpv", "gimp", "steam")
_OUTCOMES: Final = ("done", "partial", "dropped", "")

# Each begins where the one before ended; they take 1 to 5 seconds.
_INTERVALS: Final = """
    WITH RECURSIVE
        counted(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n + 1 < :intervals),
        laid(n, began, ended) AS (
            SELECT n, n * 3 + n * 7 % 5 * 0.5, (n + 1) * 3 + (n + 1) * 7 % 5 * 0.5 FROM counted
        )
    INSERT INTO intervals
    SELECT id, n + 1, :began + id * :apart + laid.began, laid.ended - laid.began,
           (n * 13 + id) % :classes, 0, (n * 5 + id * 3) % 11 % 4, n % 2, (n + id) % 40 = 0
    FROM session_ids, laid
"""
_TOTALS: Final = """
    SELECT min(began), max(began + secs), sum(switches), sum(drift_episodes),
           total(secs) FILTER (WHERE bucket = 0), total(secs) FILTER (WHERE bucket = 1),
           total(secs) FILTER (WHERE bucket = 2), total(secs) FILTER (WHERE bucket = 3)
    FROM intervals JOIN session_ids ON id = session WHERE session_id = ?
"""


def make_year(path: Path, sessions: int = 10_000, intervals: int = 500) -> None:
    """Write a history of so many sessions in one year, with so many intervals each."""
    history_file.make(path)
    with history_file.opened(path, MIGRATIONS) as connection, connection:
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT OR IGNORE INTO names (id, text) VALUES (?, ?)", enumerate(_CLASSES)
        )
        connection.executemany(
            "INSERT INTO session_ids (session_id) VALUES (?)",
            ((session_id(number),) for number in range(sessions)),
        )
        apart = _YEAR_SECS / sessions
        values = {"intervals": intervals, "began": BEGAN, "apart": apart, "classes": len(_CLASSES)}
        connection.execute(_INTERVALS, values)
        for number in range(sessions):
            records = enumerate(_records(connection, number), start=4 * number + 1)
            history_rows.put(connection, [Entry(at, record) for at, record in records])


def session_id(number: int) -> str:
    """Return the id of a session in a made-up year, counted from 0."""
    return f"{number:032x}"


def _records(connection: sqlite3.Connection, number: int) -> Iterator[Record]:
    """Return what besides its intervals there is of a session."""
    session = session_id(number)
    began, ended, switches, episodes, *secs = connection.execute(_TOTALS, (session,)).fetchone()
    yield VerdictGiven(
        session_id=session, at=began, window_class="mpv", title="", on_task=False, reason="a film"
    )
    yield AnswerGiven(
        session_id=session, at=began, kind="refocus", window_class="mpv", title="", cause="mail"
    )
    yield SessionEnded(
        session_id=session,
        intent="",
        next_action=f"write part {number}",
        success_condition="it is written",
        timebox_secs=1500,
        started=began,
        ended=ended,
        planned_end=began + 1500,
        ontask_secs=secs[0],
        drift_secs=secs[1],
        unjudged_secs=secs[2],
        away_secs=secs[3],
        switches=switches,
        drift_episodes=episodes,
    )
    outcome = _OUTCOMES[number % len(_OUTCOMES)]
    yield SessionReviewed(session_id=session, outcome=outcome, note="")

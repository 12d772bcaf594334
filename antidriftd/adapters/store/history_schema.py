"""The tables of the history, as the statements that lead from each schema to the next."""

from collections.abc import Sequence
from typing import Final

Migrations = Sequence[Sequence[str]]

SLOT_SECS: Final = 900
"""Time is summed by quarters of an hour: the zones of the world are whole quarters apart."""

_FIRST: Final = (
    # `host` tells the histories of several machines apart.
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "INSERT INTO meta VALUES ('host', lower(hex(randomblob(8))))",
    "CREATE TABLE buckets (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "INSERT INTO buckets VALUES (0, 'ontask'), (1, 'drift'), (2, 'unjudged'), (3, 'away')",
    # Classes and titles, each once. SQLite keeps a 0 or a 1 without a byte.
    "CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)",
    "INSERT INTO names VALUES (0, '')",
    # Every session that anything is known of, the one that runs included. What is deleted here
    # is deleted everywhere.
    "CREATE TABLE session_ids (id INTEGER PRIMARY KEY, session_id TEXT NOT NULL UNIQUE)",
    """
    CREATE TABLE ended_sessions (
        session INTEGER PRIMARY KEY REFERENCES session_ids ON DELETE CASCADE,
        intent TEXT NOT NULL,
        next_action TEXT NOT NULL,
        success_condition TEXT NOT NULL,
        timebox_secs INTEGER NOT NULL,
        started REAL NOT NULL,
        ended REAL NOT NULL,
        planned_end REAL NOT NULL,
        ontask_secs REAL NOT NULL,
        drift_secs REAL NOT NULL,
        unjudged_secs REAL NOT NULL,
        away_secs REAL NOT NULL,
        switches INTEGER NOT NULL,
        drift_episodes INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE reviews (
        session INTEGER PRIMARY KEY REFERENCES session_ids ON DELETE CASCADE,
        outcome TEXT NOT NULL,
        note TEXT NOT NULL
    )
    """,
    # A snapshot that is lost takes the count of entries with it. So each row is known by its
    # session, which is never had again, and the number of an entry only tells two apart in it.
    # By far the most rows: those of a session lie side by side, and nothing else indexes them.
    """
    CREATE TABLE intervals (
        session INTEGER NOT NULL REFERENCES session_ids ON DELETE CASCADE,
        number INTEGER NOT NULL,
        began REAL NOT NULL,
        secs REAL NOT NULL,
        class INTEGER NOT NULL REFERENCES names,
        title INTEGER NOT NULL REFERENCES names,
        bucket INTEGER NOT NULL REFERENCES buckets,
        switches INTEGER NOT NULL,
        drift_episodes INTEGER NOT NULL,
        PRIMARY KEY (session, number)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE verdicts (
        session INTEGER NOT NULL REFERENCES session_ids ON DELETE CASCADE,
        entry INTEGER NOT NULL,
        at REAL NOT NULL,
        class INTEGER NOT NULL REFERENCES names,
        title INTEGER NOT NULL REFERENCES names,
        on_task INTEGER,
        reason TEXT NOT NULL,
        shadow INTEGER NOT NULL,
        PRIMARY KEY (session, entry)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE answers (
        session INTEGER NOT NULL REFERENCES session_ids ON DELETE CASCADE,
        entry INTEGER NOT NULL,
        at REAL NOT NULL,
        kind TEXT NOT NULL,
        class INTEGER NOT NULL REFERENCES names,
        title INTEGER NOT NULL REFERENCES names,
        cause TEXT NOT NULL,
        page TEXT NOT NULL,
        PRIMARY KEY (session, entry)
    ) WITHOUT ROWID
    """,
    # What is summed of the intervals of a session that is over, so that a report reads no others.
    """
    CREATE TABLE session_classes (
        session INTEGER NOT NULL REFERENCES session_ids ON DELETE CASCADE,
        class INTEGER NOT NULL REFERENCES names,
        bucket INTEGER NOT NULL REFERENCES buckets,
        secs REAL NOT NULL,
        PRIMARY KEY (session, class, bucket)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE session_slots (
        session INTEGER NOT NULL REFERENCES session_ids ON DELETE CASCADE,
        began INTEGER NOT NULL,
        bucket INTEGER NOT NULL REFERENCES buckets,
        secs REAL NOT NULL,
        PRIMARY KEY (session, began, bucket)
    ) WITHOUT ROWID
    """,
    # How people and programs are to read it.
    """
    CREATE VIEW sessions AS
    SELECT session_id, (SELECT value FROM meta WHERE key = 'host') AS host, ended_sessions.*,
           coalesce(outcome, '') AS outcome, coalesce(note, '') AS note
    FROM ended_sessions
    JOIN session_ids ON session_ids.id = ended_sessions.session
    LEFT JOIN reviews USING (session)
    """,
    """
    CREATE VIEW named_intervals AS
    SELECT session_id, number, began, secs, classes.text AS class, titles.text AS title,
           buckets.name AS bucket, switches, drift_episodes
    FROM intervals
    JOIN session_ids ON session_ids.id = intervals.session
    JOIN names AS classes ON classes.id = intervals.class
    JOIN names AS titles ON titles.id = intervals.title
    JOIN buckets ON buckets.id = intervals.bucket
    """,
)

MIGRATIONS: Final = (_FIRST,)
"""The statements that lead from schema 0, an empty file, to 1, from 1 to 2, and so on."""

"""The history's file: made private, looked at before it is written, brought to today's schema."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from antidriftd.adapters.store.history_schema import Migrations
from antidriftd.adapters.store.port import StoreError, UnsafeStore

_BUSY_SECS = 5.0
"""Somebody else may be writing: a person with a shell of SQLite, say."""

_WANTED = (
    ("journal_mode = WAL", "wal"),
    ("synchronous = FULL", None),
    ("synchronous", 2),
    # Else copies of what is replaced or moved stay in the free parts of the file, where nobody
    # could delete them later (sqlite.org/pragma.html).
    ("secure_delete = ON", 1),
)
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Unreadable(Exception):
    """What lies there is no history; the message says what is wrong with it."""


@contextmanager
def damage_told() -> Iterator[None]:
    """Have what SQLite says of a damaged file raised as Unreadable."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        # The lowest byte is the error, the others say more of it (sqlite.org/rescode.html).
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
            raise Unreadable(str(error)) from error
        raise


def make(path: Path) -> None:
    """Make sure that a file of ours is there, which only its owner can read if it is new.

    SQLite gives its other two files the mode of this one.

    Raises:
        Unreadable: something else lies there.
        UnsafeStore: it is somebody else's.
        OSError: it can't be made.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
    except IsADirectoryError as error:
        raise Unreadable("it is a directory") from error
    try:
        seen = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if not stat.S_ISREG(seen.st_mode):
        raise Unreadable("it is not a regular file")
    if seen.st_uid != os.geteuid():
        raise UnsafeStore(f"{path} belongs to user {seen.st_uid}, not to you")


def check(path: Path, newest: int) -> None:
    """Read all of the file, and change nothing but what a crash has left half changed.

    Raises:
        Unreadable: it is damaged, or some other program's.
        StoreError: a later version wrote it.
        sqlite3.Error: it can't be read at the moment.
    """
    if os.path.lexists(f"{path}-journal"):
        # A crash while it was made. Who only reads may not undo that, and so could never read
        # (SQLITE_READONLY_ROLLBACK of sqlite.org/rescode.html).
        with closing(_connect(path, "rw")) as connection:
            _ask(connection, "PRAGMA user_version")
    with closing(_connect(path, "ro")) as connection:
        schema = _schema_of(connection, path, newest)
        tables: int = _ask(connection, "SELECT count(*) FROM sqlite_schema")
        if schema < 0 or (schema == 0 and tables):
            raise Unreadable("another program's data is in it")
        result: str = _ask(connection, "PRAGMA quick_check(1)")
        if result != "ok":
            raise Unreadable(result.splitlines()[-1])  # the first only names the database


@contextmanager
def opened(path: Path, migrations: Migrations) -> Iterator[sqlite3.Connection]:
    """Open the history for writing, in today's schema; what comes before a change is backed up.

    Raises:
        Unreadable, StoreError, sqlite3.Error: as for `check`.
        StoreError: this file system can't keep what is promised.
    """
    with closing(_connect(path, "rw")) as connection:
        schema = _schema_of(connection, path, len(migrations))
        for pragma, wanted in _WANTED:
            if (got := _ask(connection, f"PRAGMA {pragma}")) != wanted:
                raise StoreError(f"{path}: SQLite refuses {pragma}, and stays with {got}")
        connection.execute("PRAGMA foreign_keys = ON")
        if schema < len(migrations):
            if schema:
                _back_up(connection, path.with_name(f"{path.name}.backup-{schema}"))
            _migrate(connection, schema, migrations)
        yield connection


@contextmanager
def opened_to_read(path: Path, newest: int) -> Iterator[sqlite3.Connection | None]:
    """Open the history to read it as of one moment; None while it is empty.

    It isn't opened read-only, for then SQLite would leave two files beside it.

    Raises:
        Unreadable: another program's data is in it.
        StoreError, sqlite3.Error: as for `check`.
    """
    with closing(_connect(path, "rw")) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        yield connection if _schema_of(connection, path, newest) else None


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # Nothing begins a transaction by itself; the file is never made by SQLite.
    uri = f"{path.as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=_BUSY_SECS, isolation_level=None)


def _ask(connection: sqlite3.Connection, question: str) -> Any:
    """Return the only value that is answered, None when there is none."""
    row = connection.execute(question).fetchone()
    return None if row is None else row[0]


def _schema_of(connection: sqlite3.Connection, path: Path, newest: int) -> int:
    schema: int = _ask(connection, "PRAGMA user_version")
    if schema > newest:
        raise StoreError(f"{path} has schema {schema}, and this version knows {newest}")
    return schema


def _back_up(connection: sqlite3.Connection, target: Path) -> None:
    target.unlink(missing_ok=True)
    make(target)
    with closing(_connect(target, "rw")) as copy:
        connection.backup(copy)


def _migrate(connection: sqlite3.Connection, schema: int, migrations: Migrations) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for statements in migrations[schema:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")

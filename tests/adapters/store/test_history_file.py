"""The history's file: private, opened as was promised, and changed only after a backup."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from antidriftd.adapters.store import history_file
from antidriftd.adapters.store.history import SqliteHistoryStore
from antidriftd.adapters.store.history_schema import MIGRATIONS, Migrations
from antidriftd.adapters.store.port import StoreError
from tests.adapters.store.histories import contents, files, new_store, sessions, whole, write

NEXT = (*MIGRATIONS, ("CREATE TABLE added (at REAL)", "INSERT INTO added VALUES (1.5)"))
BROKEN = (*MIGRATIONS, ("CREATE TABLE added (at REAL)", "no SQL"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def later_store(path: Path, migrations: Migrations = NEXT) -> SqliteHistoryStore:
    """Return a store of the next version."""
    return SqliteHistoryStore(path, lambda: 0.0, migrations=migrations)


def ask(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute(question).fetchall()


# --- as it is opened -------------------------------------------------------------------------


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
@pytest.mark.fault("T5", "another user reads the state")
def test_it_and_its_companions_are_its_owners_alone(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        history_file.make(path)
        with history_file.opened(path, MIGRATIONS) as connection:
            connection.execute("UPDATE meta SET value = value")
            modes = {
                each.name: stat.filemode(each.stat().st_mode) for each in path.parent.iterdir()
            }
    finally:
        os.umask(before)

    assert modes == {
        "history.sqlite3": "-rw-------",
        "history.sqlite3-wal": "-rw-------",
        "history.sqlite3-shm": "-rw-------",
    }


def test_it_is_opened_as_was_promised(path: Path) -> None:
    history_file.make(path)
    with history_file.opened(path, MIGRATIONS) as connection:

        def value(pragma: str) -> Any:
            return connection.execute(f"PRAGMA {pragma}").fetchone()[0]

        assert value("journal_mode") == "wal"
        assert value("synchronous") == 2
        assert value("foreign_keys") == 1
        assert value("busy_timeout") >= 1000
        assert value("user_version") == len(MIGRATIONS)


def test_a_disk_that_cannot_keep_a_wal_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_memory(path: Path, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(":memory:", isolation_level=None)

    monkeypatch.setattr(history_file, "_connect", in_memory)
    with pytest.raises(StoreError, match="journal_mode"), history_file.opened(path, MIGRATIONS):
        pass


# --- another schema --------------------------------------------------------------------------


@pytest.mark.fault("F11", "another version wrote the file")
def test_a_newer_one_is_left_untouched(path: Path) -> None:
    write(later_store(path), whole("a"))
    before = path.read_bytes()
    store = new_store(path)
    for _ in range(2):
        with pytest.raises(StoreError) as refusal:
            write(store, whole("b"))

    assert str(refusal.value) == f"{path} has schema 2, and this version knows 1"
    assert path.read_bytes() == before


@pytest.mark.fault("F11", "another version wrote the file")
def test_a_newer_one_whose_daemon_was_killed_is_left_untouched(path: Path) -> None:
    """What is in the -wal yet is not moved into the file either."""
    write(later_store(path), whole("a"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE added SET at = 2.5")
        connection.commit()
        left = {name: data for name, data in files(path.parent).items() if not name.endswith("shm")}
    for name, data in left.items():
        path.with_name(name).write_bytes(data)
    with pytest.raises(StoreError, match="has schema 2"):
        write(new_store(path), whole("b"))

    assert len(left) == 2
    assert {name: files(path.parent)[name] for name in left} == left


@pytest.mark.fault("F11", "another version wrote the file")
def test_an_older_one_is_backed_up_and_brought_up_to_date(path: Path) -> None:
    write(new_store(path), whole("a"))
    before = contents(path)
    assert write(later_store(path), whole("b")) == ""
    backup = path.with_name("history.sqlite3.backup-1")

    assert sessions(path) == ["a", "b"]
    assert ask(path, "SELECT at FROM added") == [(1.5,)]
    assert ask(path, "PRAGMA user_version") == [(2,)]
    assert contents(backup) == before
    assert ask(backup, "PRAGMA user_version") == [(1,)]
    assert stat.filemode(backup.stat().st_mode) == "-rw-------"


@pytest.mark.fault("F11", "another version wrote the file")
def test_a_change_that_fails_leaves_the_old_one_and_is_tried_again(path: Path) -> None:
    write(new_store(path), whole("a"))
    before = contents(path)
    with pytest.raises(StoreError, match='near "no"'):
        write(later_store(path, BROKEN), whole("b"))

    assert ask(path, "PRAGMA user_version") == [(1,)]
    assert contents(path) == before
    write(later_store(path), whole("b"))
    assert sessions(path) == ["a", "b"]

"""The daemon's own history, read beside it."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from antidrift_cli.errors import Failed
from antidrift_cli.history.reading import open_history
from antidrift_cli.history.sessions import DetailedSession, PastSession
from antidriftd.adapters.store.history_schema import MIGRATIONS
from protocol.history import HISTORY_SCHEMA
from tests.cli.history.past import (
    BEGAN,
    ended,
    judged,
    led_away,
    reviewed,
    slot,
    stretches,
    write_history,
)

ROWS = (("code", 600.0, "ontask"), ("firefox", 420.5, "drift"), ("", 100.0, "away"))


def read(state_dir: Path) -> list[PastSession]:
    with open_history({"ANTIDRIFT_STATE_DIR": str(state_dir)}) as history:
        return list(history.sessions()) if history else []


def read_details(state_dir: Path) -> list[DetailedSession]:
    with open_history({"ANTIDRIFT_STATE_DIR": str(state_dir)}) as history:
        return list(history.details()) if history else []


def test_the_client_knows_the_schema_that_the_daemon_writes() -> None:
    assert len(MIGRATIONS) == HISTORY_SCHEMA


def test_without_a_history_there_is_none_and_none_is_made(state_dir: Path) -> None:
    assert read(state_dir) == []
    assert not state_dir.exists()


def test_before_the_first_write_there_is_none(state_dir: Path) -> None:
    state_dir.mkdir()
    (state_dir / "history.sqlite3").touch()

    assert read(state_dir) == []
    assert [path.name for path in state_dir.iterdir()] == ["history.sqlite3"]


def test_a_session_comes_back_with_all_that_is_known_of_it(state_dir: Path) -> None:
    rows = stretches("s1", *ROWS)
    write_history(
        state_dir,
        rows,
        led_away("s1", "mail"),
        ended(rows, intent="a parser", success_condition="it parses"),
        reviewed("s1", "partial", "half of it"),
    )

    (session,) = read(state_dir)
    assert (session.session_id, session.intent, session.outcome) == ("s1", "a parser", "partial")
    assert (session.success_condition, session.note) == ("it parses", "half of it")
    assert (session.started, session.length_secs) == (BEGAN, 1120.5)
    assert (session.ontask_secs, session.drift_secs, session.away_secs) == (600, 420.5, 100)
    assert [(each.window_class, each.status, each.secs) for each in session.by_class] == [
        ("code", "ontask", 600),
        ("firefox", "drift", 420.5),
        ("", "away", 100),
    ]
    quarter_past = BEGAN.replace(minute=15)
    assert session.by_slot == (
        slot(BEGAN, 600),
        slot(BEGAN, 300, "drift"),
        slot(quarter_past, 120.5, "drift"),
        slot(quarter_past, 100, "away"),
    )
    assert [(each.kind, each.cause) for each in session.answers] == [("refocus", "mail")]


def test_every_stretch_and_verdict_is_in_the_details(state_dir: Path) -> None:
    rows = stretches("s1", *ROWS)
    write_history(
        state_dir, rows, judged("s1", on_task=None), judged("s1", on_task=False), ended(rows)
    )

    (session,) = read_details(state_dir)
    assert [(each.window_class, each.secs, each.status) for each in session.intervals] == [*ROWS]
    assert [each.drift_episodes for each in session.intervals] == [0, 1, 0]
    assert [each.on_task for each in session.verdicts] == [None, False]


def test_a_session_that_runs_is_not_among_those_that_are_over(state_dir: Path) -> None:
    over = stretches("s1", *ROWS)
    write_history(state_dir, over, ended(over), stretches("s2", *ROWS), led_away("s2", "mail"))

    assert [session.session_id for session in read(state_dir)] == ["s1"]


def test_two_histories_have_different_hosts(tmp_path: Path) -> None:
    hosts = set()
    for name in ("a", "b"):
        rows = stretches("s1", *ROWS)
        write_history(tmp_path / name, rows, ended(rows))
        hosts |= {session.host for session in read(tmp_path / name)}

    assert len(hosts) == 2


def test_a_daemon_that_is_writing_is_neither_waited_for_nor_seen_half(state_dir: Path) -> None:
    rows = stretches("s1", *ROWS)
    path = write_history(state_dir, rows, ended(rows))
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM ended_sessions")

    assert [session.session_id for session in read(state_dir)] == ["s1"]
    writer.execute("COMMIT")
    assert read(state_dir) == []
    writer.close()


def test_what_is_written_while_it_is_read_comes_with_the_next_reading(state_dir: Path) -> None:
    rows = stretches("s1", *ROWS)
    path = write_history(state_dir, rows, ended(rows))
    writer = sqlite3.connect(path, isolation_level=None)

    with open_history({"ANTIDRIFT_STATE_DIR": str(state_dir)}) as history:
        assert history
        assert len(list(history.sessions())) == 1
        writer.execute("DELETE FROM ended_sessions")
        assert len(list(history.sessions())) == 1
    assert read(state_dir) == []
    writer.close()


def test_a_newer_schema_is_left_alone_with_one_line(state_dir: Path) -> None:
    rows = stretches("s1", *ROWS)
    path = write_history(state_dir, rows, ended(rows))
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {HISTORY_SCHEMA + 1}")
    connection.close()

    with pytest.raises(Failed, match="schema 2, and this client knows 1: update antidrift"):
        read(state_dir)


def test_a_damaged_file_is_told_in_one_line(state_dir: Path) -> None:
    rows = stretches("s1", *ROWS)
    path = write_history(state_dir, rows, ended(rows))
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))

    with pytest.raises(Failed, match=r"history at .* can't be read: .*malformed"):
        read(state_dir)


def test_a_file_that_is_no_database_is_told_in_one_line(state_dir: Path) -> None:
    state_dir.mkdir()
    (state_dir / "history.sqlite3").write_text("dear diary\n" * 1000)

    with pytest.raises(Failed, match="can't be read: file is not a database"):
        read(state_dir)


def test_a_moment_that_no_calendar_has_is_told_in_one_line(state_dir: Path) -> None:
    rows = stretches("s1", *ROWS)
    write_history(state_dir, rows, ended(rows, ended=1e300))

    with pytest.raises(Failed, match=r"history at .* can't be read"):
        read(state_dir)


def test_only_what_began_since_is_read(state_dir: Path) -> None:
    rows = stretches("s1", *ROWS)
    write_history(state_dir, rows, ended(rows))

    with open_history({"ANTIDRIFT_STATE_DIR": str(state_dir)}) as history:
        assert history
        assert len(list(history.sessions(BEGAN))) == 1
        assert list(history.sessions(BEGAN.replace(minute=1))) == []
        assert history.last(5, BEGAN.replace(minute=1)) == []


def test_the_last_are_those_recorded_last_whatever_the_clock_said(state_dir: Path) -> None:
    """A clock that was put back must not put a session back."""
    first, second, third = (stretches(f"s{number}", *ROWS) for number in (1, 2, 3))
    write_history(
        state_dir,
        (*first, ended(first)),
        (*second, ended(second, started=BEGAN.timestamp() - 86_400)),
        (*third, ended(third)),
    )

    with open_history({"ANTIDRIFT_STATE_DIR": str(state_dir)}) as history:
        assert history
        assert [each.session_id for each in history.last(2)] == ["s2", "s3"]
        assert [each.session_id for each in history.last(None)] == ["s1", "s2", "s3"]


def test_a_history_is_never_written_to(state_dir: Path) -> None:
    rows = stretches("s1", *ROWS)
    write_history(state_dir, rows, ended(rows))

    with pytest.raises(Failed, match="attempt to write a readonly database"):
        delete_from(state_dir)


def delete_from(state_dir: Path) -> None:
    with open_history({"ANTIDRIFT_STATE_DIR": str(state_dir)}) as history:
        assert history
        history.rows("DELETE FROM ended_sessions")


def test_what_a_killed_daemon_left_beside_the_file_is_read_too(tmp_path: Path) -> None:
    """Its last writes are in the -wal only."""
    rows = stretches("s1", *ROWS)
    path = write_history(tmp_path / "alive", rows, ended(rows))
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("UPDATE ended_sessions SET intent = 'the last write'")
    left = tmp_path / "left"
    left.mkdir()
    for name in ("history.sqlite3", "history.sqlite3-wal"):
        shutil.copy(path.with_name(name), left)
    writer.close()

    (session,) = read(left)
    assert session.intent == "the last write"

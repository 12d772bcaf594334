"""Labels out of a real history: whose answers count, and that forgetting leaves no byte."""

import logging
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.store import history_file
from antidriftd.adapters.store.labels import SqliteLabelStore
from antidriftd.adapters.store.port import StoreError
from antidriftd.core.learned import ClassUse, Label, Past
from antidriftd.core.model import Commitment
from antidriftd.core.recording_state import AnswerGiven, AnswerKind, Record
from tests.adapters.store.histories import (
    BEGAN,
    contents,
    ended,
    files,
    interval,
    new_store,
    numbered,
    write,
)

WRITE = Commitment("write", "it is sent", 1500)


def answer(
    session_id: str,
    kind: AnswerKind = "refocus",
    *,
    window_class: str = "mpv",
    title: str = "",
    page: str = "",
    at: float = BEGAN,
) -> AnswerGiven:
    return AnswerGiven(
        session_id=session_id,
        at=at,
        kind=kind,
        window_class=window_class,
        title=title,
        cause="hunger",
        page=page,
    )


@pytest.fixture(name="path")
def history_path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def read(path: Path, most: int = 5_000) -> Past:
    return trio.run(SqliteLabelStore(path).read, most)


def forget(path: Path, *labels: Label) -> None:
    trio.run(SqliteLabelStore(path).forget, labels)


def test_answers_of_sessions_that_are_over_are_labels_the_newest_first(path: Path) -> None:
    records: list[Record] = [
        answer("s1", "ontask", at=BEGAN + 1),
        answer("s1", "offtask", window_class="firefox", page="p", title="t", at=BEGAN + 2),
        answer("s1", "refocus", at=BEGAN + 3),
        ended("s1"),
        answer("s2", "ontask", at=BEGAN + 9),
    ]
    write(new_store(path), numbered(*records))
    past = read(path)

    assert [(each.entry, each.on_task, each.at - BEGAN) for each in past.labels] == [
        (3, False, 3),
        (2, False, 2),
        (1, True, 1),
    ]
    assert past.labels[1] == Label(
        session_id="s1",
        entry=2,
        at=BEGAN + 2,
        on_task=False,
        window_class="firefox",
        page="p",
        title="t",
        commitment=WRITE,
    )
    assert past.as_of == BEGAN + 60


def test_an_answer_about_a_window_that_left_no_trace_is_no_label(path: Path) -> None:
    write(new_store(path), numbered(answer("s1", window_class=""), ended("s1")))

    assert read(path).labels == ()


def test_only_so_many_are_read_and_those_are_the_newest(path: Path) -> None:
    answers = [answer("s1", at=BEGAN + number) for number in range(20)]
    write(new_store(path), numbered(*answers, ended("s1")))

    assert [each.at - BEGAN for each in read(path, 3).labels] == [19, 18, 17]
    assert len(read(path, -1).labels) == 20


def test_time_on_task_is_told_by_class(path: Path) -> None:
    rows = [
        interval("s1", 1, secs=40),
        interval("s1", 2, secs=20, window_class="mpv", bucket="drift"),
        interval("s1", 3, secs=5, window_class=""),
    ]
    write(new_store(path), numbered(*rows, ended("s1")))

    assert read(path).uses == (ClassUse(commitment=WRITE, window_class="code", ontask_secs=40.0),)


def test_without_a_history_there_are_no_labels_and_no_file_is_made(path: Path) -> None:
    assert read(path) == Past()
    assert files(path.parent) == {}


def test_reading_leaves_no_other_file_and_changes_nothing(path: Path) -> None:
    write(new_store(path), numbered(answer("s1"), ended("s1")))
    before = files(path.parent)
    read(path)

    assert files(path.parent) == before


@pytest.mark.parametrize(
    "damage", [b"no database at all " * 500, b"", b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_a_damaged_history_is_no_labels_and_stays_as_it_is(path: Path, damage: bytes) -> None:
    path.write_bytes(damage)

    assert read(path) == Past()
    assert path.read_bytes() == damage


def test_a_history_of_a_later_version_is_no_labels(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(new_store(path), numbered(answer("s1"), ended("s1")))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with caplog.at_level(logging.WARNING):
        assert read(path) == Past()

    assert "schema 99" in caplog.text


def test_what_somebody_else_put_there_is_no_labels(path: Path) -> None:
    write(new_store(path), numbered(answer("s1"), ended("s1")))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE answers SET at = 'yesterday'")

    assert read(path) == Past()


def test_forgetting_takes_away_that_window_and_no_other(path: Path) -> None:
    records = [answer("s1", page="p1"), answer("s1", page="p2"), answer("s2", page="p1")]
    write(new_store(path), numbered(interval("s1", 1), *records, ended("s1"), ended("s2")))
    before = contents(path)
    gone = next(each for each in read(path).labels if (each.session_id, each.page) == ("s1", "p1"))
    forget(path, gone)

    assert {(each.session_id, each.page) for each in read(path).labels} == {
        ("s1", "p2"),
        ("s2", "p1"),
    }
    after = contents(path)
    assert {name for name in before if before[name] != after[name]} == {"answers"}
    forgotten = next(row for row in after["answers"] if row["entry"] == gone.entry)
    assert (forgotten["class"], forgotten["title"], forgotten["cause"]) == ("", "", "hunger")


def test_no_byte_of_what_is_forgotten_is_left(path: Path) -> None:
    secret = answer("s1", window_class="secretclass", title="secrettitle", page="secretpage")
    write(new_store(path), numbered(secret, answer("s1"), ended("s1")))
    assert all(
        word in path.read_bytes() for word in (b"secretclass", b"secrettitle", b"secretpage")
    )
    forget(path, *(each for each in read(path).labels if each.page))

    assert with_secrets(path) == []
    assert [each.window_class for each in read(path).labels] == ["mpv"]


def with_secrets(path: Path) -> list[str]:
    """Return the files in which there is a secret."""
    return [name for name, data in files(path.parent).items() if b"secret" in data]


def test_no_copy_is_left_that_the_file_had_before(path: Path) -> None:
    secrets = [
        answer(f"s{number}", window_class=f"secret{number}", page=f"secret{number}" * 9)
        for number in range(200)
    ]
    records: list[Record] = [*secrets, *(ended(each.session_id) for each in secrets)]
    for _ in range(2):  # the second time each row takes its own place
        write(new_store(path), numbered(*records))
    assert with_secrets(path)
    forget(path, *read(path).labels)

    assert with_secrets(path) == []


def test_nothing_is_left_when_somebody_else_has_the_file_open(path: Path) -> None:
    write(new_store(path), numbered(answer("s1", window_class="secret"), ended("s1")))
    labels = read(path).labels
    with closing(sqlite3.connect(path)) as other:
        other.execute("SELECT * FROM names").fetchall()
        forget(path, *labels)
        assert with_secrets(path) == []


def test_what_somebody_still_reads_goes_with_the_first_write_after(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_file, "_BUSY_SECS", 0.0)  # it waits for them, but not for ever
    write(new_store(path), numbered(answer("s1", window_class="secret"), ended("s1")))
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM names").fetchall()
        forget(path, *read(path).labels)
        assert with_secrets(path)
    assert read(path).labels == ()
    write(new_store(path), numbered(answer("s2"), first=9))

    assert with_secrets(path) == []


def test_a_class_and_a_title_that_time_was_spent_under_stay_with_that_time(path: Path) -> None:
    row = interval("s1", 1, window_class="mpv", title="a film")
    write(new_store(path), numbered(row, answer("s1", title="a film"), ended("s1")))
    forget(path, *read(path).labels)

    assert [(each["class"], each["title"]) for each in contents(path)["intervals"]] == [
        ("mpv", "a film")
    ]


def test_what_cannot_be_written_is_told_and_nothing_is_forgotten(path: Path) -> None:
    write(new_store(path), numbered(answer("s1"), ended("s1")))
    labels = read(path).labels
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TRIGGER no BEFORE UPDATE ON answers BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    with pytest.raises(StoreError, match="full"):
        forget(path, *labels)

    assert read(path).labels == labels


def test_without_a_history_there_is_nothing_to_forget_from(path: Path) -> None:
    write(new_store(path), numbered(answer("s1"), ended("s1")))
    (label,) = read(path).labels
    path.unlink()
    with pytest.raises(StoreError):
        forget(path, replace(label, entry=9))

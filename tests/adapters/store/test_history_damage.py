"""A history that can't be read, or isn't ours: nothing of it is lost, and a new one is begun."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from antidriftd.adapters.store import history_file
from antidriftd.adapters.store.port import StoreError, UnsafeStore
from tests import other_user
from tests.adapters.store.histories import files, new_store, sessions, whole, write

PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def write_session(path: Path) -> bytes:
    """Write a session, and return the file."""
    write(new_store(path), whole("a"))
    return path.read_bytes()


def foreign(data: bytes) -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE recipes (text TEXT)")
        return connection.serialize()


def in_a_page(data: bytes) -> bytes:
    return data[: 3 * PAGE] + b"\xff" * PAGE + data[4 * PAGE :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "43 NULs": lambda data: b"\0" * 43,
    "text": lambda data: b"to whom it may concern\n" * 1000,
    "the first page lost": lambda data: b"\0" * PAGE + data[PAGE:],
    "a page overwritten": in_a_page,
    "cut to half": lambda data: data[: len(data) // 2],
    "another program's": foreign,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_one_that_cannot_be_read_is_set_aside_and_a_new_one_begun(
    path: Path, damage: Callable[[bytes], bytes]
) -> None:
    damaged = damage(write_session(path))
    path.write_bytes(damaged)
    store = new_store(path)
    trouble = write(store, whole("b"))
    kept = path.with_name("history.sqlite3.unreadable-19700101T000000Z")

    assert trouble.startswith("the history could not be read (")
    assert trouble.endswith(f"); it is kept as {kept}")
    assert "\n" not in trouble
    assert files(path.parent)[kept.name] == damaged
    assert sessions(path) == ["b"]
    assert write(store, whole("c")) == ""
    assert sessions(path) == ["b", "c"]


def test_an_empty_file_is_one_that_was_just_made(path: Path) -> None:
    path.touch()
    assert write(new_store(path), whole("a")) == ""

    assert sessions(path) == ["a"]


def test_damage_that_is_done_while_the_daemon_runs_is_set_aside_too(path: Path) -> None:
    store = new_store(path)
    write(store, whole("a"))
    path.write_bytes(b"\xff" * 3 * PAGE)
    trouble = write(store, whole("b"))

    assert "unreadable-19700101T000000Z" in trouble
    assert sessions(path) == ["b"]


def test_its_companions_are_set_aside_with_it(path: Path) -> None:
    path.write_bytes(b"no history")
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").write_bytes(ending.encode())
    write(new_store(path), whole("b"))
    name = "history.sqlite3.unreadable-19700101T000000Z"
    left = files(path.parent)

    assert left.keys() == {"history.sqlite3", name, f"{name}-wal", f"{name}-shm"}
    assert (left[name], left[f"{name}-wal"]) == (b"no history", b"-wal")


def test_two_that_are_set_aside_in_one_second_are_both_kept(path: Path) -> None:
    store = new_store(path)
    for text in (b"one", b"two"):
        path.write_bytes(text)
        assert write(store, whole("b"))
    name = "history.sqlite3.unreadable-19700101T000000Z"

    assert files(path.parent)[name] == b"one"
    assert files(path.parent)[f"{name}-2"] == b"two"


def test_what_was_set_aside_is_told_although_the_new_one_is_refused_at_first(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"no history")
    store = new_store(path)
    with monkeypatch.context() as patched:
        patched.setattr(history_file, "_migrate", refuse)
        with pytest.raises(StoreError, match="disk is full"):
            write(store, whole("b"))

    assert "unreadable" in write(store, whole("b"))


def refuse(*_: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir])
def test_what_is_no_file_is_set_aside(path: Path, make: Callable[[Path], None]) -> None:
    make(path)

    assert "unreadable" in write(new_store(path), whole("a"))
    assert sessions(path) == ["a"]


# --- whose it is -----------------------------------------------------------------------------


def test_a_link_of_ours_is_followed(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "synced" / "antidrift.sqlite3"
    target.parent.mkdir()
    path.symlink_to(target)
    write(new_store(path), whole("a"))

    assert path.is_symlink()
    assert sessions(target) == ["a"]


def test_of_a_link_to_what_cannot_be_read_the_link_is_set_aside(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "letter"
    target.write_bytes(b"to whom it may concern")
    path.symlink_to(target)
    assert write(new_store(path), whole("a"))

    assert target.read_bytes() == b"to whom it may concern"
    assert not path.is_symlink()
    assert sessions(path) == ["a"]


@pytest.mark.parametrize("is_link", [False, True])
def test_what_is_somebody_elses_is_refused(path: Path, *, is_link: bool) -> None:
    other_user.need_to_be_root()
    if is_link:
        path.symlink_to("/nowhere")
    else:
        path.touch()
    os.chown(path, other_user.UID, other_user.UID, follow_symlinks=False)
    with pytest.raises(UnsafeStore, match=str(path)):
        write(new_store(path), whole("a"))


def test_a_directory_that_is_gone_is_said_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "history.sqlite3"
    with pytest.raises(StoreError) as refusal:
        write(new_store(path), whole("a"))

    assert str(refusal.value) == f"{path}: No such file or directory"

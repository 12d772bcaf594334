"""What the history keeps: each thing once, all of a batch or nothing, and what it sums of it."""

import math
import sqlite3
import tempfile
from collections import defaultdict
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from antidriftd.adapters.store.history_schema import MIGRATIONS, SLOT_SECS
from antidriftd.adapters.store.port import StoreError
from antidriftd.core.evidence import Bucket
from antidriftd.core.recording_state import Record
from protocol.history import HISTORY_SCHEMA
from tests.adapters.store.histories import (
    ANY_RECORD,
    BEGAN,
    contents,
    ended,
    interval,
    new_store,
    numbered,
    reviewed,
    whole,
)
from tests.adapters.store.samples import BUCKETS
from tests.checkout import ROOT

FEW = settings(max_examples=30, deadline=None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def test_readers_know_of_this_schema() -> None:
    assert len(MIGRATIONS) == HISTORY_SCHEMA


async def test_everything_that_is_written_can_be_read(path: Path) -> None:
    assert await new_store(path).write(whole("a")) == ""
    found = contents(path)

    (session,) = found["sessions"]
    assert session == {
        "session_id": "a",
        "intent": "read",
        "next_action": "write",
        "success_condition": "it is sent",
        "timebox_secs": 1500,
        "started": BEGAN,
        "ended": BEGAN + 60,
        "planned_end": BEGAN + 1500,
        "ontask_secs": 60.0,
        "drift_secs": 0.0,
        "unjudged_secs": 0.0,
        "away_secs": 0.0,
        "switches": 3,
        "drift_episodes": 1,
        "outcome": "done",
        "note": "well",
    }
    assert [tuple(row.values()) for row in found["intervals"]] == [
        ("a", 1, BEGAN, 40.0, "code", "", "ontask", 0, 0),
        ("a", 2, BEGAN + 40, 20.0, "mpv", "", "drift", 0, 0),
    ]
    assert [tuple(row.values()) for row in found["verdicts"]] == [
        ("a", 2, BEGAN, "mpv", "a film", 0, "a film")
    ]
    assert [tuple(row.values()) for row in found["answers"]] == [
        ("a", 3, BEGAN, "refocus", "mpv", "a film", "mail")
    ]


async def test_a_batch_that_is_written_again_is_there_once(path: Path) -> None:
    store = new_store(path)
    await store.write(whole("a"))
    before = contents(path)
    await store.write(whole("a"))
    await new_store(path).write(whole("a"))

    assert contents(path) == before


@FEW
@given(st.lists(ANY_RECORD, max_size=12), st.data())
def test_however_it_is_cut_and_repeated_the_history_is_the_same(
    records: list[Record], data: st.DataObject
) -> None:
    entries = numbered(*records)
    with tempfile.TemporaryDirectory() as directory:
        one, other = Path(directory, "one"), Path(directory, "other")
        trio.run(new_store(one).write, entries)
        store, at = new_store(other), 0
        while at < len(entries):
            upto = data.draw(st.integers(at + 1, len(entries)))
            trio.run(store.write, entries[at:upto])
            at = data.draw(st.sampled_from([upto, upto, at]))  # a crash: it is written again

        assert contents(other) == contents(one) if entries else not other.exists()


async def test_a_session_that_runs_is_not_among_those_that_are_over(path: Path) -> None:
    store = new_store(path)
    await store.write(numbered(interval("a", 1)))
    running = contents(path)
    await store.write(numbered(ended("a"), first=2))
    over = contents(path)

    assert (running["sessions"], running["classes"], running["slots"]) == ([], [], [])
    assert len(running["intervals"]) == 1
    assert [row["session_id"] for row in over["sessions"]] == ["a"]


async def test_a_review_may_come_late_and_early(path: Path) -> None:
    store = new_store(path)
    await store.write(numbered(ended("a"), reviewed("b", "dropped", "ill")))
    first = contents(path)["sessions"]
    await store.write(numbered(reviewed("a"), ended("b"), first=3))
    both = contents(path)["sessions"]

    assert [(row["session_id"], row["outcome"]) for row in first] == [("a", "")]
    assert [(row["session_id"], row["outcome"], row["note"]) for row in both] == [
        ("a", "done", "well"),
        ("b", "dropped", "ill"),
    ]


async def test_of_a_batch_that_is_refused_nothing_is_kept(path: Path) -> None:
    store = new_store(path)
    await store.write(whole("a"))
    before = contents(path)
    with pytest.raises(StoreError) as refusal:  # SQLite has no NaN
        await store.write([*whole("b"), *numbered(interval("b", 3, secs=math.nan), first=7)])

    assert str(refusal.value).startswith(f"{path}: ")
    assert "\n" not in str(refusal.value)
    assert contents(path) == before


async def test_numbers_that_begin_again_after_a_lost_snapshot_replace_nothing(path: Path) -> None:
    store = new_store(path)
    await store.write(whole("a"))
    before = contents(path)
    await store.write(whole("b"))
    after = contents(path)

    assert [row["session_id"] for row in after["sessions"]] == ["a", "b"]
    for table, rows in before.items():
        assert [row for row in after[table] if row["session_id"] == "a"] == rows


async def test_the_sums_follow_an_interval_that_comes_late(path: Path) -> None:
    store = new_store(path)
    await store.write(numbered(interval("a", 1, secs=40.0), ended("a")))
    await store.write(numbered(interval("a", 2, began=BEGAN + 40, secs=5.0), first=3))
    found = contents(path)

    assert [row["secs"] for row in found["classes"]] == [45.0]
    assert [row["secs"] for row in found["slots"]] == [45.0]


async def test_an_interval_is_divided_among_the_quarters_of_an_hour(path: Path) -> None:
    quarter = BEGAN // SLOT_SECS * SLOT_SECS
    first = interval("a", 1, began=quarter + 800, secs=100.0)  # up to the very end
    second = interval("a", 2, began=quarter + 900, secs=1900.0, bucket="away")
    await new_store(path).write(numbered(first, second, ended("a")))

    assert [tuple(row.values())[1:] for row in contents(path)["slots"]] == [
        (quarter, "ontask", 100.0),
        (quarter + 900, "away", 900.0),
        (quarter + 1800, "away", 900.0),
        (quarter + 2700, "away", 100.0),
    ]


LAID = st.lists(
    st.tuples(st.floats(0, 4_000), st.sampled_from(["code", "mpv", ""]), st.sampled_from(BUCKETS)),
    max_size=20,
)


@FEW
@given(LAID, st.floats(1e9, 2e9))
def test_the_sums_add_up_to_the_intervals(
    laid: list[tuple[float, str, Bucket]], began: float
) -> None:
    rows, secs_in = [], defaultdict[tuple[str, str], float](float)
    for number, (secs, window_class, bucket) in enumerate(laid, start=1):
        row = interval("a", number, began=began, secs=secs, window_class=window_class)
        rows.append(replace(row, bucket=bucket))
        secs_in[window_class, bucket] += secs
        began += secs
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "history.sqlite3")
        trio.run(new_store(path).write, numbered(*rows, ended("a")))
        found = contents(path)

    classes = {(row["class"], row["bucket"]): row["secs"] for row in found["classes"]}
    assert classes == pytest.approx({key: secs for key, secs in secs_in.items() if secs})
    for bucket in BUCKETS:
        slots = [row["secs"] for row in found["slots"] if row["bucket"] == bucket]
        secs = sum(each for (_, name), each in secs_in.items() if name == bucket)
        assert sum(slots) == pytest.approx(secs, abs=1e-3)


async def test_a_file_that_is_deleted_while_the_daemon_runs_is_begun_anew(path: Path) -> None:
    store = new_store(path)
    await store.write(whole("a"))
    await trio.Path(path).unlink()
    assert await store.write(whole("b")) == ""

    assert [row["session_id"] for row in contents(path)["sessions"]] == ["b"]


async def test_a_reader_stops_no_write_and_sees_what_was_there(path: Path) -> None:
    store = new_store(path)
    await store.write(whole("a"))
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as reader:
        rows = reader.execute("SELECT session_id FROM sessions")
        assert rows.fetchone() == ("a",)
        await store.write(whole("b"))

        assert rows.fetchall() == []
    assert len(contents(path)["sessions"]) == 2


async def test_another_writer_is_waited_for(path: Path) -> None:
    store = new_store(path)
    await store.write(whole("a"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(store.write, whole("b"))
            await trio.sleep(0.3)
            assert len(contents(path)["sessions"]) == 1
            other.execute("COMMIT")

    assert len(contents(path)["sessions"]) == 2


async def test_a_write_can_be_cancelled(path: Path) -> None:
    store = new_store(path)
    with trio.CancelScope() as scope:
        scope.cancel()
        await store.write(whole("a"))
    await store.write(whole("b"))

    assert "b" in {row["session_id"] for row in contents(path)["sessions"]}


async def test_each_history_has_a_host_of_its_own_that_stays(tmp_path: Path) -> None:
    def host(path: Path) -> object:
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute("SELECT DISTINCT host FROM sessions").fetchone()[0]

    one, other = tmp_path / "one", tmp_path / "other"
    for path in (one, one, other):
        await new_store(path).write(whole("a"))

    first = host(one)
    await new_store(one).write(whole("b"))
    assert (host(one), len(str(first))) == (first, 16)
    assert host(other) != first


async def test_a_session_is_deleted_as_the_page_on_the_history_says(path: Path) -> None:
    page = (ROOT / "docs" / "history.md").read_text()
    script = page.partition("```sql\n")[2].partition("```")[0]
    store = new_store(path)
    await store.write(whole("b"))
    before = contents(path)
    secret = numbered(interval("the id", 1, title="a private page"), reviewed("the id"), first=7)
    await store.write([*secret, *whole("the id", first=9)])
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(script)

    assert contents(path) == before
    left = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert b"the id" not in left
    assert b"a private page" not in left

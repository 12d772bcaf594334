"""What the history is told, and that it has each thing exactly once."""

from dataclasses import replace

import pytest

from antidriftd.core.events import (
    HistoryFailed,
    InputSeen,
    SnapshotSaved,
    TimeElapsed,
)
from antidriftd.core.recording import MAX_BATCH, MAX_WAITING
from antidriftd.core.recording_state import (
    Interval,
    Record,
    SessionEnded,
    SessionReviewed,
)
from tests.builders import RULES, Machine
from tests.core.recounting import check_what_was_written

TITLED = replace(RULES, history_titles="on")


def running(machine: Machine | None = None) -> Machine:
    machine = machine or Machine()
    machine.start("code", timebox_secs=3600)
    return machine


def written(machine: Machine, kind: type[Record]) -> list[Record]:
    return [record for record in machine.history.values() if isinstance(record, kind)]


def test_a_session_is_written_when_it_ends_and_its_review_when_that_closes() -> None:
    machine = running()
    machine.focus("code")
    machine.wait(100)
    machine.drift_on("steam", "a game")
    machine.wait(50)
    began, ended = machine.time.utc - 162, machine.time.utc
    machine.complete()
    machine.review("partial", "half of it")

    (session,) = written(machine, SessionEnded)
    assert isinstance(session, SessionEnded)
    assert session.started == pytest.approx(began)
    assert session.ended == pytest.approx(ended)
    assert (session.ontask_secs, session.drift_secs, session.drift_episodes) == (100, 50, 1)
    assert written(machine, SessionReviewed) == [
        SessionReviewed(session_id="session 1", outcome="partial", note="half of it")
    ]
    check_what_was_written(machine)


def test_its_intervals_are_written_at_each_checkpoint() -> None:
    machine = running()
    for _ in range(4):
        machine.focus("code")
        machine.wait(20)
        machine.focus("evince")
        machine.wait(20)

    rows = written(machine, Interval)
    assert [row.number for row in rows if isinstance(row, Interval)] == [1, 2, 3, 4, 5, 6, 7]
    assert machine.state.recording.waiting == ()
    assert machine.session.spans


def test_what_may_still_turn_out_to_be_an_absence_waits() -> None:
    machine = running()
    machine.feed(InputSeen(0))
    machine.focus("code")
    machine.wait(60)
    machine.focus_nothing()
    machine.wait(100)
    machine.feed(InputSeen(160))
    assert written(machine, Interval) == []
    machine.feed(InputSeen(0))
    machine.wait(60)

    (row,) = written(machine, Interval)
    assert isinstance(row, Interval)
    assert row.secs == pytest.approx(60.05)


def test_nothing_is_written_that_no_snapshot_holds() -> None:
    machine = running()
    machine.disk = "full"
    machine.complete()
    machine.wait(5)
    assert machine.history == {}
    machine.disk = "good"
    machine.wait(60)

    assert len(written(machine, SessionEnded)) == 1


def test_what_came_after_the_snapshot_was_taken_waits_for_the_next() -> None:
    machine = running()
    machine.disk = "slow"
    machine.complete()
    taken = machine.state.recording.next_number - 1
    revision = machine.state.revision
    machine.review("done")
    machine.feed(SnapshotSaved(revision, taken))

    assert written(machine, SessionEnded)
    assert written(machine, SessionReviewed) == []


def test_a_history_that_fails_is_told_and_tried_again() -> None:
    machine = running()
    machine.history_trouble = "No space left on device"
    machine.complete()
    (notice,) = machine.state.notices
    assert "the history is not written, and tried again by itself: No space" in notice.text
    machine.history_trouble = ""
    machine.wait(1)

    assert machine.state.notices == ()
    assert len(written(machine, SessionEnded)) == 1


def test_one_that_fails_for_long_is_tried_ever_more_rarely() -> None:
    machine = running()
    machine.history_trouble = "no"
    machine.complete()
    machine.wait(3600)
    tried = machine.state.recording.attempts

    assert 15 <= tried <= 22


def test_an_answer_to_nothing_changes_nothing() -> None:
    machine = Machine()
    machine.feed(HistoryFailed("late"))
    machine.wait(2)

    assert machine.state.recording.waiting == ()


def test_a_crash_before_the_history_is_written_writes_the_same_numbers_again() -> None:
    machine = running()
    machine.history_trouble = "no"
    machine.focus("code")
    machine.wait(30)
    machine.complete()
    saved, waiting = machine.saved(), machine.state.recording.waiting
    machine.history_trouble = ""
    machine.wait(5)
    first = dict(machine.history)
    machine.restart(saved)
    machine.feed(TimeElapsed())

    assert machine.history == first
    assert list(first) == [entry.number for entry in waiting]
    check_what_was_written(machine)


def test_a_long_row_is_written_in_batches() -> None:
    machine = running()
    machine.history_trouble = "no"
    for number in range(MAX_BATCH + 50):
        machine.focus("code" if number % 2 else "evince")
        machine.wait(1)
    machine.complete()
    machine.history_trouble = ""
    machine.wait(400)

    assert machine.state.recording.waiting == ()
    check_what_was_written(machine)


def test_a_history_that_never_works_doesnt_fill_the_snapshot() -> None:
    machine = running(Machine(replace(RULES, has_judge=False)))
    machine.history_trouble = "no"
    for number in range(MAX_WAITING + 100):
        machine.focus("code" if number % 2 else "evince")
        machine.wait(1)
    machine.complete()
    waiting = machine.state.recording.waiting

    assert len(waiting) == MAX_WAITING
    assert isinstance(waiting[-1].record, SessionEnded)

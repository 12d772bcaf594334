"""What the history is told, and that it has each thing exactly once."""

from dataclasses import replace

import pytest

from antidriftd.core.events import (
    AllowContext,
    HistoryFailed,
    InputSeen,
    Refocus,
    SnapshotSaved,
    TimeElapsed,
)
from antidriftd.core.recording import MAX_BATCH, MAX_WAITING
from antidriftd.core.recording_state import (
    AnswerGiven,
    Interval,
    Record,
    SessionEnded,
    SessionReviewed,
    VerdictGiven,
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


class TestVerdictsAndAnswers:
    def test_are_written_with_what_they_are_about(self) -> None:
        machine = running(Machine(TITLED))
        machine.drift_on("steam", "a game", "no game helps")
        machine.feed(Refocus(because=" mail from Ann "))
        machine.drift_on("evince", "a.pdf")
        machine.feed(AllowContext())
        machine.complete()
        verdict, _ = written(machine, VerdictGiven)
        refocus, ontask = written(machine, AnswerGiven)

        assert isinstance(verdict, VerdictGiven)
        assert (verdict.window_class, verdict.title) == ("steam", "a game")
        assert (verdict.on_task, verdict.reason) == (False, "no game helps")
        assert isinstance(refocus, AnswerGiven)
        assert (refocus.kind, refocus.title, refocus.cause) == (
            "refocus",
            "a game",
            "mail from Ann",
        )
        assert isinstance(ontask, AnswerGiven)
        assert (ontask.kind, ontask.title) == ("ontask", "a.pdf")

    def test_have_neither_title_nor_reason_unless_titles_are_on(self) -> None:
        machine = running()
        machine.drift_on("steam", "a game", "“a game” is none of it")
        machine.refocus()
        machine.complete()

        assert "a game" not in repr(machine.history)
        assert "none of it" not in repr(machine.history)
        assert "steam" in repr(machine.history)

    def test_a_cause_that_is_no_good_is_refused(self) -> None:
        machine = running()
        machine.drift_on("steam", "a game")

        assert machine.refused(Refocus(because="a\nb")) == "invalid_value"
        assert machine.refused(Refocus(because="x" * 513)) == "invalid_value"


class TestPages:
    def test_of_a_many_faced_program_are_told_apart_by_hashes(self) -> None:
        machine = running(Machine(replace(RULES, title_key=b"key")))
        for title in ("cats", "dogs", "cats"):
            machine.drift_on("firefox", f"{title} — Mozilla Firefox")
            machine.refocus()
            machine.focus("code")
            machine.wait(60)
        machine.drift_on("steam", "a game")
        machine.refocus()
        machine.complete()
        rows = [row for row in machine.history.values() if isinstance(row, AnswerGiven)]

        assert rows[0].page == rows[2].page != rows[1].page
        assert rows[3].page == ""
        assert "cats" not in repr(rows)

    def test_are_kept_as_they_are_where_titles_are(self) -> None:
        machine = running(Machine(TITLED))
        machine.drift_on("firefox", "Cats — Mozilla Firefox")
        machine.refocus()
        machine.complete()
        (row,) = written(machine, AnswerGiven)

        assert isinstance(row, AnswerGiven)
        assert row.page == "cats"


class TestTitles:
    def test_are_hashed_with_the_key(self) -> None:
        def hashes(key: bytes) -> set[str]:
            machine = running(
                Machine(replace(RULES, history_titles="hash", title_key=key, has_judge=False))
            )
            for title in ("one", "two", "one"):
                machine.focus("evince", title)
                machine.wait(10)
            machine.complete()
            rows = [row for row in machine.history.values() if isinstance(row, Interval)]
            assert len(rows) == 3
            return {row.title for row in rows}

        ours, others = hashes(b"key"), hashes(b"another")
        assert len(ours) == len(others) == 2
        assert not ours & others

    def test_that_are_excluded_leave_no_trace_but_their_time(self) -> None:
        rules = replace(TITLED, history_exclude=("keepassxc", "*bank*"))
        machine = running(Machine(rules))
        machine.focus("KeePassXC", "passwords")
        machine.wait(10)
        machine.focus("evince", "My Bank: statement")
        machine.wait(10)
        machine.complete()

        assert "eePass" not in repr(machine.history)
        assert "Bank" not in repr(machine.history)
        rows = [row for row in machine.history.values() if isinstance(row, Interval)]
        assert sum(row.secs for row in rows) == 20

    def test_of_one_program_make_one_interval_when_they_are_off(self) -> None:
        machine = running(Machine(replace(RULES, has_judge=False)))
        for number in range(5):
            machine.focus("evince", f"page {number}")
            machine.wait(10)
        machine.complete()

        assert len(written(machine, Interval)) == 1

"""What the history is told of windows: verdicts, answers, pages, titles, and what leaves none."""

from dataclasses import replace

from antidriftd.core.events import (
    AllowContext,
    Refocus,
)
from antidriftd.core.recording_state import (
    AnswerGiven,
    Interval,
    Record,
    VerdictGiven,
)
from tests.builders import RULES, Machine

TITLED = replace(RULES, history_titles="on")


def running(machine: Machine | None = None) -> Machine:
    machine = machine or Machine()
    machine.start("code", timebox_secs=3600)
    return machine


def written(machine: Machine, kind: type[Record]) -> list[Record]:
    return [record for record in machine.history.values() if isinstance(record, kind)]


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

"""What becomes of a question that gets no answer, or gets it too late."""

import pytest

from antidriftd.core.events import JudgmentFailed, JudgmentReturned
from antidriftd.core.model import Verdict
from tests.builders import FREE_JUDGE, Machine
from tests.core.running import running


def titles(machine: Machine) -> list[str]:
    return [window.title or window.window_class for window in machine.asked]


class TestNoVerdict:
    def test_a_failure_is_no_drift_and_waits_a_minute(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.fail("out of money")
        assert machine.status() == "idle"
        assert machine.drift.open is None
        assert any("out of money" in notice.text for notice in machine.state.notices)
        machine.wait(59.9)
        assert len(machine.asked) == 1
        machine.wait(0.1)

        assert len(machine.asked) == 2

    def test_a_failure_holds_back_its_own_key_only(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.fail()
        machine.focus("mpv")
        machine.wait(10)

        assert titles(machine) == ["steam", "mpv"]

    def test_cannot_tell_is_idle_and_waits_ten_minutes(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.answer(None)
        machine.focus("gimp")
        machine.wait(10)
        machine.answer(True)
        machine.focus("steam")
        machine.wait(589.9)
        assert (machine.status(), len(machine.asked)) == ("idle", 2)
        machine.wait(0.1)

        assert len(machine.asked) == 3

    def test_a_failure_leaves_the_verdicts_that_were_given(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.focus("mpv")
        machine.wait(10)
        machine.fail()
        machine.focus("steam")
        machine.wait(2)

        assert machine.status() == "drifting"


class TestBackOff:
    @staticmethod
    def waits(machine: Machine, failures: int) -> list[float]:
        """Return how long the judge was left alone after each of so many failures."""
        waited = []
        for attempt in range(failures):
            machine.fail()
            failed_at = machine.time.mono
            machine.focus(f"window {attempt}")
            while not machine.question:
                machine.wait(1)
            waited.append(machine.time.mono - failed_at)
        return waited

    def test_three_failures_in_a_row_make_it_wait_from_one_minute_up_to_five(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)

        assert self.waits(machine, 8) == [10, 10, 60, 120, 240, 300, 300, 300]

    def test_an_answer_ends_it(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        self.waits(machine, 4)
        assert machine.state.budget.failures == 4
        machine.answer(None)
        machine.focus("mpv")
        machine.wait(10)

        assert self.waits(machine, 2) == [10, 10]

    def test_binds_a_free_judge_too(self) -> None:
        machine = running(rules=FREE_JUDGE)
        machine.focus("steam")
        machine.wait(2)

        assert self.waits(machine, 4) == [2, 2, 60, 120]

    def test_outlives_the_session(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        self.waits(machine, 2)
        machine.fail()
        machine.complete()
        machine.start()
        asked = len(machine.asked)
        machine.wait(59.9)
        assert len(machine.asked) == asked
        machine.wait(0.1)

        assert len(machine.asked) == asked + 1


class TestStaleAnswers:
    @pytest.mark.parametrize("question_id", [0, -1, 2, 99])
    def test_to_a_foreign_question_change_nothing(self, question_id: int) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        before = machine.state

        for event in (
            JudgmentReturned(question_id, Verdict(on_task=False, reason="")),
            JudgmentFailed(question_id, "late"),
        ):
            assert machine.feed(event) == ()
            assert machine.state == before

    @pytest.mark.fault("T11", "late verdict")
    def test_of_an_ended_session_change_nothing_in_the_next(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        question = machine.question
        assert question is not None
        machine.complete()
        assert machine.ended == [question.id]
        machine.start()
        machine.feed(JudgmentReturned(question.id, Verdict(on_task=False, reason="late")))
        machine.wait(2)

        assert machine.drift.cache == {}
        assert machine.drift.open is None

    def test_ids_are_never_used_again(self) -> None:
        machine = running()
        ids = []
        for _ in range(3):
            machine.focus("steam")
            machine.wait(12)
            assert machine.question is not None
            ids.append(machine.question.id)
            machine.complete()
            machine.start()

        assert len(set(ids)) == 3

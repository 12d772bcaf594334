"""When the nudger is asked, and what holds it back."""

from dataclasses import replace

import pytest

from antidriftd.core.effects import AskJudge, AskNudger
from antidriftd.core.nudge_state import Nudge
from antidriftd.core.rules import Rules
from tests.builders import NO_JUDGE, RULES
from tests.core.nudging.nudged import (
    EVERY,
    ONLY_A_NUDGER,
    WITH_NUDGER,
    asked,
    running,
    say,
    stay_silent,
)


class TestWhenItIsDue:
    def test_it_is_asked_for_after_a_while_and_then_again_and_again(self) -> None:
        machine = running()
        machine.wait(EVERY - 1)
        assert asked(machine) == []
        machine.wait(1)
        assert len(asked(machine)) == 1
        say(machine)
        machine.wait(EVERY - 1)
        assert len(asked(machine)) == 1
        machine.wait(1)

        assert len(asked(machine)) == 2

    def test_an_answer_that_takes_long_delays_no_other_but_is_waited_for(self) -> None:
        machine = running()
        machine.wait(3 * EVERY)
        assert len(asked(machine)) == 1
        say(machine)

        assert len(asked(machine)) == 2

    @pytest.mark.parametrize("rules", [replace(WITH_NUDGER, nudge_every_secs=0.0), RULES, NO_JUDGE])
    def test_it_is_off_with_zero_and_without_a_nudger(self, rules: Rules) -> None:
        machine = running(rules)
        machine.wait(7000)

        assert asked(machine) == []
        assert machine.active.nudge == Nudge()

    def test_time_asleep_does_not_count(self) -> None:
        machine = running()
        machine.wait(100)
        machine.suspend(2 * 3600)
        machine.wait(EVERY - 101)
        assert asked(machine) == []
        machine.wait(1)

        assert len(asked(machine)) == 1

    def test_a_new_session_counts_from_its_own_start(self) -> None:
        machine = running()
        machine.wait(EVERY - 10)
        machine.complete()
        machine.start("code")
        machine.wait(EVERY - 1)
        assert asked(machine) == []
        machine.wait(1)

        assert len(asked(machine)) == 1

    def test_a_restart_does_not_bring_it_on(self) -> None:
        machine = running()
        machine.wait(2 * EVERY + 50)
        machine.effects.clear()
        machine.restart()
        machine.wait(EVERY - 1)
        assert asked(machine) == []
        machine.wait(2)

        assert len(asked(machine)) == 1

    def test_a_stale_session_that_goes_on_counts_from_there(self) -> None:
        machine = running(timebox_secs=60)
        machine.wait(7200 + 60)
        machine.effects.clear()
        machine.wait(600)
        machine.extend(3600)
        machine.wait(EVERY - 1)
        assert asked(machine) == []
        machine.wait(1)

        assert len(asked(machine)) == 1

    def test_it_knows_how_the_session_goes(self) -> None:
        machine = running(timebox_secs=600)
        machine.focus("code", "other.py")
        machine.wait(100)
        machine.focus("gimp", "logo.xcf")
        machine.wait(EVERY - 100 - 10)
        machine.answer(True)
        machine.wait(10)

        (nudge,) = asked(machine)
        assert nudge.commitment == machine.session.commitment
        digest = nudge.digest
        assert digest.elapsed_secs == pytest.approx(EVERY)
        assert digest.remaining_secs == pytest.approx(300)
        assert digest.ontask_secs == pytest.approx(110)
        assert (digest.switches, digest.drift_episodes, digest.drift_secs) == (1, 0, 0)
        assert [name for name, _ in digest.classes] == ["gimp", "code"]

    def test_its_digest_names_the_largest_classes_only(self) -> None:
        machine = running(ONLY_A_NUDGER)
        for number in range(20):
            machine.focus(f"program {number}")
            machine.wait(number + 1)
        machine.wait(EVERY)

        (nudge,) = asked(machine)
        assert len(nudge.digest.classes) == 8
        secs = [secs for _, secs in nudge.digest.classes]
        assert secs == sorted(secs, reverse=True)


class TestWhatHoldsItBack:
    def test_it_is_not_asked_for_while_drifting_nor_while_a_drift_is_open(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.wait(2 * EVERY)
        assert (machine.status(), asked(machine)) == ("drifting", [])
        machine.focus("rofi")
        machine.wait(EVERY)
        assert (machine.status(), asked(machine)) == ("idle", [])
        machine.refocus()

        assert len(asked(machine)) == 1

    def test_it_waits_for_the_drift_that_ends_by_itself(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.wait(2 * EVERY)
        machine.focus("code")
        machine.wait(299)
        assert asked(machine) == []
        machine.wait(1)

        assert len(asked(machine)) == 1

    def test_it_waits_for_the_judge(self) -> None:
        machine = running()
        machine.focus("gimp")
        machine.wait(EVERY + 50)
        assert machine.status() == "pending"
        assert asked(machine) == []
        machine.answer(True)

        assert len(asked(machine)) == 1

    def test_it_is_not_asked_for_when_the_judge_found_a_drift(self) -> None:
        machine = running()
        machine.focus("gimp")
        machine.wait(EVERY + 50)
        machine.answer(False)

        assert asked(machine) == []

    def test_the_judge_waits_for_it(self) -> None:
        machine = running()
        machine.wait(EVERY)
        machine.focus("steam")
        machine.wait(60)
        assert (machine.asked, machine.status()) == ([], "idle")
        say(machine)

        assert [window.window_class for window in machine.asked] == ["steam"]

    def test_it_debounces_no_judgment(self) -> None:
        machine = running()
        machine.wait(EVERY)
        say(machine)
        machine.focus("steam")
        machine.wait(2)

        assert len(machine.asked) == 1

    def test_it_is_debounced_by_no_judgment(self) -> None:
        machine = running()
        machine.wait(EVERY - 3)
        machine.focus("gimp")
        machine.wait(2)
        machine.answer(True)
        machine.wait(1)

        assert len(asked(machine)) == 1

    def test_it_takes_its_part_of_the_hourly_budget(self) -> None:
        machine = running(replace(WITH_NUDGER, judgments_per_hour=2))
        machine.wait(EVERY)
        say(machine)
        machine.focus("gimp")
        machine.wait(2)
        machine.answer(True)
        machine.focus("steam")
        machine.wait(3600 - 2 - 1)
        assert (len(machine.asked), len(asked(machine))) == (1, 1)
        assert machine.asked_at[0] + 3599 == pytest.approx(machine.time.mono)
        machine.wait(1)

        assert len(machine.asked) + len(asked(machine)) == 3

    def test_it_shares_the_wait_after_failures(self) -> None:
        machine = running()
        machine.wait(EVERY - 40)
        for number in range(3):
            machine.focus(f"program {number}")
            machine.wait(12)
            machine.fail()
        machine.focus("code")
        machine.wait(59)
        assert machine.state.budget.failures == 3
        assert asked(machine) == []
        machine.wait(1)

        assert len(asked(machine)) == 1

    def test_its_failures_hold_the_judge_back(self) -> None:
        machine = running()
        for _ in range(3):
            machine.wait(EVERY)
            stay_silent(machine)
        machine.focus("steam")
        machine.wait(59)
        assert machine.asked == []
        machine.wait(1)

        assert len(machine.asked) == 1

    def test_its_success_ends_a_row_of_failures(self) -> None:
        machine = running()
        for answer in (stay_silent, stay_silent, say, stay_silent, stay_silent):
            machine.wait(EVERY)
            answer(machine)

        assert machine.state.budget.failures == 2
        assert machine.state.budget.retry_at == 0

    def test_it_is_not_asked_for_in_a_stale_session(self) -> None:
        machine = running(timebox_secs=60)
        machine.wait(7200 + 60)
        assert machine.active.stale
        machine.effects.clear()
        machine.wait(3600)

        assert asked(machine) == []
        assert machine.active.nudge == Nudge()


def test_a_question_is_open_to_one_of_the_two_at_a_time() -> None:
    """The machine checks it at every step; here both have much to do."""
    machine = running(replace(WITH_NUDGER, nudge_every_secs=5.0, debounce_secs=0.0))
    for number in range(60):
        machine.focus(f"program {number}")
        machine.wait(3)
        for kind in (AskJudge, AskNudger):
            if machine.under_way.all_of(kind):
                machine.answer(True) if kind is AskJudge else say(machine)

    assert len(machine.asked) > 20
    assert len(asked(machine)) > 20

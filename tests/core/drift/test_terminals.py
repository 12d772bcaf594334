"""Terminals are where people type their answers, so they are given some time."""

import pytest

from tests.builders import FREE_JUDGE, Machine


def running() -> Machine:
    machine = Machine()
    machine.start("code")
    machine.wait(100)
    return machine


class TestAfterACommand:
    def test_a_terminal_is_not_judged_for_a_minute(self) -> None:
        machine = running()
        machine.focus("kitty", "vim")
        machine.wait(1)
        machine.extend(60)
        machine.wait(59.9)
        assert machine.asked == []
        machine.wait(0.1)

        assert len(machine.asked) == 1

    def test_each_command_begins_the_minute_anew(self) -> None:
        machine = running()
        machine.focus("kitty", "vim")
        for _ in range(5):
            machine.extend(60)
            machine.wait(50)

        assert machine.asked == []

    def test_that_is_the_start_a_terminal_is_not_judged_either(self) -> None:
        machine = Machine()
        machine.focus("kitty", "antidrift-start")
        machine.start()
        machine.wait(59.9)

        assert machine.asked == []

    def test_a_cached_drift_is_not_applied_either(self) -> None:
        machine = running()
        machine.drift_on("kitty", "nethack")
        machine.on_task(window_class="gimp")
        machine.focus("code")
        machine.wait(301)
        assert machine.drift.open is None
        machine.extend(60)
        machine.focus("kitty", "nethack")
        machine.wait(59.9)
        assert machine.status() == "idle"
        machine.wait(0.1)

        assert machine.status() == "drifting"

    def test_another_program_is_judged(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.extend(60)
        machine.wait(2)

        assert len(machine.asked) == 1

    def test_an_allowed_terminal_is_on_task_all_the_same(self) -> None:
        machine = running()
        machine.focus("kitty", "vim")
        machine.on_task(window_class="kitty")

        assert machine.status() == "ontask"

    def test_one_that_is_allowed_no_longer_is_not_on_task_whatever_was_said_of_it(self) -> None:
        machine = running()
        machine.focus("XTerm", "nethack", instance="games")
        machine.wait(10)
        machine.answer(False)
        machine.on_task(window_class="games")
        assert machine.status() == "ontask"
        machine.disallow()
        assert machine.status() == "idle"
        machine.wait(60)

        assert machine.status() == "drifting"

    def test_a_free_judge_waits_too(self) -> None:
        machine = Machine(FREE_JUDGE)
        machine.focus("kitty", "vim")
        machine.start()
        machine.wait(59.9)

        assert machine.asked == []

    def test_one_that_changed_nothing_gives_no_time(self) -> None:
        machine = running()
        machine.focus("kitty", "vim")
        machine.refocus()
        machine.wait(2)

        assert len(machine.asked) == 1


class TestWhileADriftIsOpen:
    def test_a_terminal_is_not_judged_in_its_first_minute_in_front(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.focus("kitty", "~")
        machine.wait(30)
        machine.focus("kitty", "vim")
        machine.wait(29.9)
        assert len(machine.asked) == 1
        machine.wait(0.1)

        assert machine.asked[-1].window_class == "kitty"

    def test_the_minute_begins_when_a_terminal_comes_to_the_front(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.focus("kitty", "~")
        machine.wait(50)
        machine.focus("code")
        machine.wait(1)
        machine.focus("kitty", "vim")
        machine.wait(59.9)

        assert len(machine.asked) == 1

    def test_a_later_command_gives_its_minute_all_the_same(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.focus("kitty", "~")
        machine.wait(55)
        machine.extend(60)
        machine.wait(59.9)

        assert len(machine.asked) == 1

    def test_another_program_is_judged(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.focus("gimp")
        machine.wait(10)

        assert len(machine.asked) == 2

    def test_a_terminal_that_drifts_stays_drifting(self) -> None:
        machine = running()
        machine.drift_on("kitty", "nethack")
        machine.wait(10)

        assert machine.status() == "drifting"


@pytest.mark.parametrize("window_class", ["kitty", "XTerm"])
def test_with_no_drift_and_no_command_a_terminal_is_judged_like_any_other(
    window_class: str,
) -> None:
    machine = running()
    machine.drift_on(window_class, "nethack")

    assert machine.status() == "drifting"

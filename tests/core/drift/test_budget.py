"""The hard hourly cap on judgments, whatever the input."""

from dataclasses import replace

import pytest

from antidriftd.core.drift.budget import fail
from antidriftd.core.drift.state import Budget
from antidriftd.core.model import Moment
from tests.builders import FREE_JUDGE, RULES, Machine

TIGHT = replace(RULES, judgments_per_hour=5, debounce_secs=0.0, dwell_secs=0.0)


def test_failures_without_end_wait_no_longer_than_five_minutes() -> None:
    """Doubling has to stop before the number is too large for a float."""
    budget = Budget()
    for _ in range(2_000):
        budget = fail(budget, Moment(mono=100.0, boot=0.0, utc=0.0))

    assert budget.retry_at == 400.0


def busy_hour(machine: Machine, secs: int = 3600) -> None:
    """Meet another window every ten seconds, and have it judged when it is asked about."""
    for second in range(0, secs, 10):
        machine.focus(f"window {machine.time.mono} {second}")
        if machine.question:
            machine.answer(True)
        machine.wait(10)
        if machine.question:
            machine.answer(True)


@pytest.mark.fault("T12", "100 titles a second")
def test_no_more_judgments_begin_in_an_hour_than_are_allowed() -> None:
    machine = Machine(TIGHT)
    machine.start()
    busy_hour(machine, 3590)

    assert len(machine.asked) == 5


def test_what_is_over_the_budget_is_idle() -> None:
    machine = Machine(TIGHT)
    machine.start()
    busy_hour(machine, 100)

    assert len(machine.asked) == 5
    assert machine.status() == "idle"


def test_the_window_that_stays_is_judged_when_the_hour_has_passed() -> None:
    machine = Machine(TIGHT)
    machine.start()
    began = machine.time.mono
    busy_hour(machine, 100)
    machine.focus("steam")
    machine.wait(3600 - (machine.time.mono - began) - 0.1)
    assert len(machine.asked) == 5
    machine.wait(0.1)

    assert machine.asked[-1].window_class == "steam"


def test_a_new_session_gets_no_new_budget() -> None:
    machine = Machine(TIGHT)
    for _ in range(4):
        machine.start()
        busy_hour(machine, 600)
        machine.complete()

    assert len(machine.asked) == 5


def test_the_hour_slides() -> None:
    machine = Machine(TIGHT)
    machine.start(timebox_secs=86_400)
    busy_hour(machine, 3 * 3600 - 10)

    assert len(machine.asked) == 15


def test_voided_questions_count_too() -> None:
    machine = Machine(TIGHT)
    machine.start()
    for number in range(20):
        machine.focus(f"window {number}")
        if machine.question:
            machine.on_task()

    assert len(machine.asked) == 5


def test_a_free_judge_is_not_counted() -> None:
    machine = Machine(replace(FREE_JUDGE, judgments_per_hour=5))
    machine.start()
    busy_hour(machine, 600)

    assert len(machine.asked) == 60
    assert machine.state.budget.begun == ()

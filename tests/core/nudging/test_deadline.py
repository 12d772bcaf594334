"""When time alone has the nudger asked."""

from dataclasses import replace

import pytest

from antidriftd.core.effects import AskNudger
from antidriftd.core.machine import next_deadline
from tests.core.nudging.nudged import (
    EVERY,
    ONLY_A_NUDGER,
    WITH_NUDGER,
    asked,
    running,
    say,
)
from tests.fakes.clock import FakeTime


@pytest.mark.parametrize("blocked_by", ["drift", "question", "budget", "back-off", "nudger"])
def test_the_deadline_does_not_spin_while_a_nudge_is_due_and_may_not_be_asked_for(
    blocked_by: str,
) -> None:
    """`wait` fails when deadlines come without end; here there are also few of them."""
    rules = replace(WITH_NUDGER, judgments_per_hour=1) if blocked_by == "budget" else WITH_NUDGER
    machine = running(rules)
    match blocked_by:
        case "drift":
            machine.drift_on("steam")
        case "question" | "budget" | "back-off":
            machine.focus("gimp")
            machine.wait(2)
    if blocked_by == "budget":
        machine.answer(True)
    if blocked_by == "back-off":
        for _ in range(4):
            machine.fail()
            machine.wait(60)
    machine.wait(EVERY)
    deadlines = 0
    end = machine.time.mono + 600
    while machine.time.mono < end:
        delay = next_deadline(machine.state, machine.time.now())
        machine.wait(601 if delay is None else max(delay, 0.001))
        deadlines += 1

    assert deadlines < 60


@pytest.mark.parametrize("up_secs", [1e3, 1e5, 3e7])
def test_the_deadline_is_met_although_seconds_add_up_inexactly(up_secs: float) -> None:
    """A double that counts a year is a few nanoseconds coarse; `wait` fails on a loop."""
    rules = replace(ONLY_A_NUDGER, nudge_every_secs=0.7, judgments_per_hour=3600)
    machine = running(rules, time=FakeTime(mono=up_secs, boot=up_secs + 12_345.678))
    for number in range(700):
        machine.focus("code", f"{number}.py")
        machine.wait(0.1)
        if machine.under_way.all_of(AskNudger):
            say(machine)

    assert len(asked(machine)) == pytest.approx(100, abs=1)

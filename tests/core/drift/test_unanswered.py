"""How the open drift looks to a prompt."""

from antidriftd.core.drift.unanswered import dropped_in_secs, look_of
from antidriftd.core.machine import next_deadline
from tests.builders import Machine


def drifted() -> Machine:
    machine = Machine()
    machine.start("code")
    machine.drift_on("steam", "a game")
    return machine


def test_without_one_there_is_nothing_to_look_at() -> None:
    machine = Machine()
    machine.start("code")

    assert (look_of(machine.drift), dropped_in_secs(machine.drift)) == ("none", None)


def test_it_is_open_whatever_is_in_front_but_on_task() -> None:
    machine = drifted()
    assert look_of(machine.drift) == "open"
    machine.focus("kitty", "vim")

    assert (look_of(machine.drift), dropped_in_secs(machine.drift)) == ("open", None)


def test_on_task_it_is_past_and_after_ten_seconds_gone_without_an_event() -> None:
    machine = drifted()
    machine.focus("code")
    assert look_of(machine.drift) == "past"
    assert next_deadline(machine.state, machine.time.now()) == 10
    machine.wait(10)

    assert (look_of(machine.drift), dropped_in_secs(machine.drift)) == ("none", None)
    assert machine.drift.open


def test_back_off_task_it_is_open_again() -> None:
    machine = drifted()
    machine.focus("code")
    machine.wait(20)
    machine.focus("kitty", "vim")

    assert look_of(machine.drift) == "open"

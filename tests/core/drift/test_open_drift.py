"""The open drift: the last one that nobody has answered yet."""

from collections.abc import Callable

import pytest

from tests.builders import Machine


def drifting(*allowed: str) -> Machine:
    machine = Machine()
    machine.start("code", *allowed)
    machine.drift_on("steam", "a game", "not the report")
    assert machine.status() == "drifting"
    return machine


def test_is_set_on_entering_drifting() -> None:
    machine = drifting()

    opened = machine.drift.open
    assert opened is not None
    assert (opened.window.window_class, opened.window.title) == ("steam", "a game")
    assert (opened.reason, opened.since) == ("not the report", machine.drift.since)


def test_keeps_the_title_it_was_opened_with() -> None:
    machine = drifting()
    machine.focus("steam", "another game")
    machine.wait(60)

    assert machine.open_title == "a game"


@pytest.mark.parametrize(
    ("window_class", "title"),
    [("code", "report"), ("kitty", "~"), ("rofi", "run"), ("gimp", "cat"), ("", "")],
)
def test_is_kept_while_another_window_is_in_front(window_class: str, title: str) -> None:
    machine = drifting()
    machine.focus(window_class, title)
    machine.wait(30)

    assert machine.open_title == "a game"
    assert machine.status() != "drifting"


def test_is_kept_while_no_window_is_in_front_and_while_the_sensor_is_lost() -> None:
    machine = drifting()
    machine.focus_nothing()
    machine.wait(1)
    machine.lose_sensor()

    assert machine.open_title == "a game"


def test_is_replaced_by_the_next() -> None:
    machine = drifting()
    machine.drift_on("firefox", "cats", "pets")

    assert machine.open_title == "cats"


def test_opens_anew_when_a_judged_window_comes_back() -> None:
    machine = drifting()
    machine.drift_on("firefox", "cats")
    machine.focus("steam", "a game")
    machine.wait(2)

    assert machine.open_title == "a game"


@pytest.mark.parametrize("answer", [Machine.on_task, Machine.refocus])
def test_is_ended_by_an_answer_given_elsewhere(answer: Callable[[Machine], None]) -> None:
    machine = drifting()
    machine.focus("kitty", "~")
    answer(machine)

    assert machine.drift.open is None


def test_is_ended_by_the_end_of_the_session() -> None:
    machine = drifting()
    machine.complete()
    machine.start()

    assert machine.drift.open is None


class TestOnTaskTime:
    def test_of_300_s_ends_it(self) -> None:
        machine = drifting()
        machine.focus("code")
        machine.wait(299.9)
        assert machine.open_title == "a game"
        machine.wait(0.1)

        assert machine.drift.open is None

    def test_is_summed_over_several_visits(self) -> None:
        machine = drifting()
        for _ in range(3):
            machine.focus("code")
            machine.wait(90)
            machine.focus("rofi")
            machine.wait(500)
        assert machine.open_title == "a game"
        machine.focus("code")
        machine.wait(30)

        assert machine.drift.open is None

    def test_by_verdict_counts_like_that_by_allowance(self) -> None:
        machine = drifting()
        machine.focus("evince", "report.pdf")
        machine.wait(10)
        machine.answer(True)
        machine.wait(299.9)
        assert machine.open_title == "a game"
        machine.wait(0.2)

        assert machine.drift.open is None

    def test_begins_anew_for_the_next_drift(self) -> None:
        machine = drifting()
        machine.focus("code")
        machine.wait(290)
        machine.focus("steam", "a game")
        machine.wait(2)
        machine.focus("code")
        machine.wait(290)

        assert machine.open_title == "a game"

    def test_does_not_count_the_machine_asleep(self) -> None:
        machine = drifting()
        machine.focus("code")
        machine.wait(10)
        machine.suspend(1000)

        assert machine.open_title == "a game"
        machine.wait(290)
        assert machine.drift.open is None

    def test_does_not_count_what_is_not_on_task(self) -> None:
        machine = drifting()
        machine.wait(400)
        machine.focus("rofi")
        machine.wait(400)
        machine.focus("")
        machine.wait(400)

        assert machine.open_title == "a game"

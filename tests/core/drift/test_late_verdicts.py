"""A verdict that arrives when something else is in front, or something else has been said."""

import pytest

from tests.builders import Machine


def asked_about(window_class: str, title: str, *allowed: str) -> Machine:
    """Return a session in which the judge works on this window."""
    machine = Machine()
    machine.start(*allowed)
    machine.focus(window_class, title)
    machine.wait(2)
    assert machine.question is not None
    return machine


def test_a_verdict_is_kept_for_its_window_and_not_shown_for_another() -> None:
    machine = asked_about("steam", "a game")
    machine.focus("gimp")
    machine.answer(False, "a game")
    assert (machine.status(), machine.drift.open) == ("idle", None)
    machine.focus("steam")
    machine.wait(2)

    assert (machine.status(), machine.drift.reason) == ("drifting", "a game")
    assert len(machine.asked) == 1


def test_a_verdict_on_a_window_that_came_back_waits_for_the_dwell() -> None:
    machine = asked_about("steam", "a game")
    machine.focus("gimp")
    machine.focus("steam", "a game")
    machine.answer(False)
    assert machine.status() == "idle"
    machine.wait(2)

    assert machine.status() == "drifting"


def test_a_verdict_is_not_shown_when_no_window_is_in_front() -> None:
    machine = asked_about("steam", "a game")
    machine.focus_nothing()
    machine.wait(1)
    machine.answer(False)

    assert (machine.status(), machine.drift.open) == ("idle", None)


def test_a_verdict_is_not_shown_over_an_allowance() -> None:
    machine = asked_about("steam", "a game")
    machine.focus("steam", "the report")
    machine.on_task(window_title="report")
    assert machine.status() == "ontask"
    machine.answer(False)

    assert machine.status() == "ontask"
    assert machine.drift.open is None


class TestOfAnotherPageOfTheProgramInFront:
    def test_a_drift_opens(self) -> None:
        machine = asked_about("firefox", "cats")
        machine.focus("firefox", "dogs")
        machine.answer(False, "pets")

        assert machine.open_title == "cats"
        assert machine.drift.open is not None
        assert machine.drift.open.reason == "pets"
        assert machine.status() == "idle"
        assert machine.drift.episodes == 0

    def test_a_drift_opens_when_it_has_nothing_to_judge(self) -> None:
        machine = asked_about("firefox", "cats")
        machine.focus("firefox", "New Tab — Mozilla Firefox")
        machine.answer(False)

        assert machine.open_title == "cats"

    def test_no_drift_opens_when_it_is_allowed(self) -> None:
        machine = asked_about("firefox", "cats")
        machine.focus("firefox", "the report")
        machine.on_task(window_title="report")
        machine.answer(False)

        assert machine.drift.open is None

    def test_no_drift_opens_when_it_was_judged_on_task(self) -> None:
        machine = asked_about("firefox", "report")
        machine.answer(True)
        machine.focus("firefox", "cats")
        machine.wait(10)
        machine.focus("firefox", "report")
        machine.answer(False)

        assert (machine.status(), machine.drift.open) == ("ontask", None)

    def test_no_drift_opens_when_the_verdict_is_good_or_missing(self) -> None:
        for on_task in (True, None):
            machine = asked_about("firefox", "cats")
            machine.focus("firefox", "dogs")
            machine.answer(on_task)
            assert machine.drift.open is None

    def test_no_drift_opens_when_the_page_in_question_is_allowed_by_now(self) -> None:
        machine = asked_about("firefox", "cats")
        machine.focus("firefox", "dogs")
        machine.on_task(window_title="=cats")

        assert machine.question is None
        assert machine.drift.open is None


@pytest.mark.parametrize(
    ("asked", "front"),
    [
        (("firefox", "cats"), ("chromium", "dogs")),
        (("firefox", "cats"), ("gimp", "")),
        (("steam", "a game"), ("mpv", "a film")),
    ],
)
def test_no_drift_opens_for_a_program_that_was_left(
    asked: tuple[str, str], front: tuple[str, str]
) -> None:
    machine = asked_about(*asked)
    machine.focus(*front)
    machine.answer(False)

    assert machine.drift.open is None

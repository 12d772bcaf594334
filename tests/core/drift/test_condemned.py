"""`offtask`: the person's own word outlives every judgment of the session."""

import pytest

from antidriftd.core.events import CondemnContext
from antidriftd.core.model import Window
from antidriftd.core.recording_state import AnswerGiven
from tests.builders import Machine

DWELL = 2.0


def running(*classes: str) -> Machine:
    machine = Machine()
    machine.start(*(classes or ("code",)), timebox_secs=3600)
    return machine


def condemn(machine: Machine) -> None:
    machine.feed(CondemnContext())


def test_a_window_on_task_drifts_from_then_on() -> None:
    machine = running()
    machine.focus("code", "a game I write")
    machine.wait(5)
    condemn(machine)

    assert machine.status() == "drifting"
    assert machine.drift.reason == "you said that this is off task"
    assert machine.asked == []
    assert machine.allowed == [("class", "code")]


def test_it_drifts_again_each_time_after_the_dwell() -> None:
    machine = running()
    machine.focus("code")
    machine.wait(5)
    condemn(machine)
    machine.focus("evince")
    machine.wait(20)
    machine.answer(True)
    machine.focus("code")
    assert machine.status() == "idle"
    machine.wait(DWELL)

    assert machine.status() == "drifting"


def test_it_is_about_the_last_window_before_the_terminal() -> None:
    machine = running("evince")
    machine.focus("evince", "a comic")
    machine.wait(5)
    machine.focus("kitty", "bash")
    machine.wait(3)
    condemn(machine)
    assert machine.status() == "idle"
    machine.focus("evince", "a comic")
    machine.wait(DWELL)

    assert machine.status() == "drifting"


def test_of_a_browser_it_is_the_page() -> None:
    machine = running("firefox")
    machine.focus("firefox", "Cats — Mozilla Firefox")
    machine.wait(5)
    condemn(machine)
    assert machine.status() == "drifting"
    machine.focus("firefox", "Report — Mozilla Firefox")

    assert machine.status() == "ontask"


def test_back_to_it_leaves_it_alone_for_half_a_minute() -> None:
    machine = running()
    machine.focus("code")
    machine.wait(5)
    condemn(machine)
    machine.refocus()
    machine.wait(29)
    assert machine.status() == "idle"
    machine.wait(1)

    assert machine.status() == "drifting"
    assert machine.asked == []


def test_on_task_takes_it_back() -> None:
    machine = running()
    machine.focus("code")
    machine.wait(5)
    condemn(machine)
    machine.on_task()

    assert machine.status() == "ontask"
    assert machine.session.condemned == ()


@pytest.mark.parametrize(
    ("window", "named"),
    [
        (Window("Pine", "inbox", "mail"), {"window_class": "mail"}),
        (Window("evince", "comic.pdf"), {"window_title": "comic"}),
        (Window("firefox", "(3) Cats — Mozilla Firefox"), {"window_title": "(3)"}),
    ],
)
def test_what_is_named_on_task_by_any_of_its_texts_is_so_again(
    window: Window, named: dict[str, str]
) -> None:
    machine = running("Pine", "evince", "firefox")
    machine.focus(window.window_class, window.title, window.instance)
    machine.wait(5)
    condemn(machine)
    assert machine.status() == "drifting"
    machine.on_task(**named)

    assert machine.status() == "ontask"
    assert machine.drift.open is None
    assert machine.session.condemned == ()


def test_naming_another_window_changes_nothing_about_it() -> None:
    machine = running()
    machine.focus("code")
    machine.wait(5)
    condemn(machine)
    machine.on_task(window_class="evince")

    assert machine.status() == "drifting"
    assert machine.drift.open is not None


def test_it_can_be_answered_although_it_was_allowed_once() -> None:
    machine = running("evince")
    machine.focus("evince", "a comic")
    machine.wait(5)
    condemn(machine)
    machine.refocus()
    machine.wait(5)
    machine.focus("kitty", "bash")
    machine.on_task()

    assert machine.session.condemned == ()


def test_the_person_is_who_spoke() -> None:
    machine = running("evince")
    machine.focus("evince", "a comic")
    machine.wait(5)
    condemn(machine)
    ruled = machine.drift.last

    assert ruled is not None
    assert (ruled.by, ruled.key) == ("condemned", None)


def test_a_verdict_on_task_does_not() -> None:
    machine = running()
    machine.focus("evince", "a.pdf")
    machine.wait(12)
    machine.answer(True)
    assert machine.status() == "ontask"
    condemn(machine)

    assert machine.status() == "drifting"


def test_a_question_about_it_is_void() -> None:
    machine = running()
    machine.focus("evince", "a.pdf")
    machine.wait(12)
    asked = machine.question
    assert asked
    condemn(machine)

    assert machine.ended == [asked.id]
    assert machine.status() == "drifting"


def test_it_survives_a_restart_and_ends_with_the_session() -> None:
    machine = running()
    machine.focus("code")
    machine.wait(5)
    condemn(machine)
    machine.restart()
    machine.focus("code")
    machine.wait(DWELL)
    assert machine.status() == "drifting"
    machine.complete()
    machine.start("code")
    machine.focus("code")

    assert machine.status() == "ontask"


def test_with_nothing_to_speak_of_it_is_refused() -> None:
    assert running().refused(CondemnContext()) == "invalid_value"


def test_it_is_told_to_the_history() -> None:
    machine = running()
    machine.focus("code")
    machine.wait(5)
    condemn(machine)
    machine.complete()
    (answer,) = (row for row in machine.history.values() if isinstance(row, AnswerGiven))

    assert (answer.kind, answer.window_class) == ("offtask", "code")


def test_it_answers_the_open_drift() -> None:
    machine = running()
    machine.focus("evince", "a comic")
    machine.wait(20)
    machine.answer(False)
    assert machine.open_title == "a comic"
    machine.focus("kitty", "bash")
    condemn(machine)

    assert machine.open_title is None


def test_a_drift_that_goes_on_is_the_same_one() -> None:
    machine = running()
    machine.focus("evince", "a comic")
    machine.wait(20)
    machine.answer(False)
    condemn(machine)

    assert (machine.status(), machine.drift.episodes) == ("drifting", 1)
    assert machine.drift.reason == "you said that this is off task"
    assert machine.open_title == "a comic"

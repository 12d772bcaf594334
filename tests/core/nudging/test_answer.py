"""What becomes of the nudger's answer."""

import pytest

from antidriftd.core.effects import AskNudger, EndRequest
from antidriftd.core.events import CompleteSession, NudgeFailed, NudgeReturned
from antidriftd.core.nudge_state import Nudge
from tests.core.nudging.nudged import EVERY, asked, running, say, shown, stay_silent


def test_the_answer_is_shown_with_its_time() -> None:
    machine = running()
    machine.wait(EVERY)
    machine.wait(7)
    revision = machine.state.revision
    say(machine, "well done")

    assert (shown(machine), machine.active.nudge.at) == ("well done", machine.time.boot)
    assert machine.state.revision == revision + 1


def test_the_answer_stays_while_the_next_is_thought_of() -> None:
    machine = running()
    machine.wait(EVERY)
    say(machine, "well done")
    machine.wait(EVERY)
    assert len(asked(machine)) == 2
    assert shown(machine) == "well done"
    say(machine, "go on")

    assert shown(machine) == "go on"


@pytest.mark.parametrize("next_answer", ["", None])
def test_an_answer_that_is_none_leaves_none(next_answer: str | None) -> None:
    machine = running()
    machine.wait(EVERY)
    say(machine, "well done")
    machine.wait(EVERY)
    stay_silent(machine) if next_answer is None else say(machine, next_answer)

    assert shown(machine) == ""


@pytest.mark.parametrize("next_answer", ["", None])
def test_an_answer_that_is_none_where_none_was_is_no_news(next_answer: str | None) -> None:
    machine = running()
    machine.wait(EVERY)
    revision, notices = machine.state.revision, machine.state.notices
    stay_silent(machine) if next_answer is None else say(machine, next_answer)

    assert (machine.state.revision, machine.state.notices) == (revision, notices)


def test_the_answer_is_dropped_when_it_finds_a_drift() -> None:
    machine = running()
    machine.drift_on("steam")
    machine.focus("code")
    machine.wait(300)
    assert (len(asked(machine)), machine.open_title) == (1, None)
    machine.focus("steam")
    machine.wait(2)
    assert machine.status() == "drifting"
    say(machine, "well done")
    machine.refocus()

    assert shown(machine) == ""


def test_the_answer_is_dropped_when_it_finds_an_open_drift() -> None:
    machine = running()
    machine.drift_on("steam")
    machine.focus("code")
    machine.wait(300)
    machine.focus("steam")
    machine.wait(2)
    machine.focus("rofi")
    say(machine, "well done")
    machine.refocus()

    assert shown(machine) == ""


def test_the_answer_goes_with_a_drift_and_does_not_come_back() -> None:
    machine = running()
    machine.wait(EVERY)
    say(machine, "well done")
    machine.drift_on("steam")
    assert shown(machine) == ""
    machine.refocus()
    machine.focus("code")

    assert shown(machine) == ""


def test_an_answer_to_a_question_that_is_no_longer_open_changes_nothing() -> None:
    machine = running()
    machine.wait(EVERY)
    request = machine.under_way.only(AskNudger).request
    say(machine, "well done")
    before = machine.state
    for late in (request, 0, 99):
        machine.feed(NudgeReturned(late, "again"))
        machine.feed(NudgeFailed(late, "late"))

    assert machine.state == before


def test_an_answer_of_an_earlier_session_is_dropped_in_the_next() -> None:
    machine = running()
    machine.wait(EVERY)
    request = machine.under_way.only(AskNudger).request
    assert EndRequest(request) in machine.feed(CompleteSession())
    machine.start("code")
    machine.feed(NudgeReturned(request, "well done"))

    assert machine.active.nudge.text == ""


def test_the_answer_is_wanted_no_more_once_the_session_is_stale() -> None:
    machine = running()
    machine.wait(EVERY)
    request = machine.under_way.only(AskNudger).request
    machine.suspend(5 * 3600)
    assert machine.active.stale
    machine.feed(NudgeReturned(request, "well done"))

    assert machine.ended == [request]
    assert machine.active.nudge == Nudge()


def test_the_answer_goes_with_the_session() -> None:
    machine = running()
    machine.wait(EVERY)
    say(machine, "well done")
    machine.complete()
    machine.start("code")

    assert shown(machine) == ""


def test_the_answer_is_not_kept_over_a_restart() -> None:
    machine = running()
    machine.wait(EVERY)
    say(machine, "well done")
    machine.wait(EVERY)
    machine.restart()

    assert machine.active.nudge == Nudge()

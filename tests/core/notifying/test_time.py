"""When a person is told that the time is up, or that a pause is long."""

from dataclasses import replace

import pytest

from antidriftd.core.events import PauseSession, ResumeSession
from antidriftd.core.model import Notification
from antidriftd.core.notifying import wait_secs
from antidriftd.core.presence import REMIND_AFTER_SECS
from antidriftd.core.rules import QuietHours
from antidriftd.core.timekeeping import OVERTIME_LIMIT_SECS
from tests.builders import Machine
from tests.core.notifying.told import DAY_SECS, GONE, NOTIFYING, last, running, told


def test_the_end_of_the_timebox_is_told_once_and_taken_back_with_more_time() -> None:
    machine = running(timebox_secs=1500)
    machine.focus("code")
    machine.wait(1499)
    assert told(machine) == []
    machine.wait(600)
    assert told(machine) == ["timebox"]
    machine.extend(300)
    assert told(machine) == ["timebox", GONE]
    machine.wait(301)

    assert told(machine) == ["timebox", GONE, "timebox"]
    assert last(machine) == Notification(id=2, about="timebox", next_action="write the report")


def test_the_end_of_the_timebox_waits_while_a_drift_is_told() -> None:
    machine = running(timebox_secs=100)
    machine.drift_on("steam", "a game")
    machine.wait(200)
    assert told(machine) == ["a game"]
    machine.refocus()

    assert told(machine) == ["a game", "timebox"]


def test_a_drift_takes_the_place_of_the_end_of_the_timebox_for_good() -> None:
    machine = running(timebox_secs=10)
    machine.wait(11)
    machine.drift_on("steam", "a game")
    machine.refocus()

    assert told(machine) == ["timebox", "a game", GONE]


def test_a_session_left_behind_is_told_of_no_more() -> None:
    machine = running(timebox_secs=60)
    machine.wait(61)
    machine.suspend(OVERTIME_LIMIT_SECS)
    machine.focus("steam", "a game")
    machine.wait(4000)

    assert machine.active.stale
    assert told(machine) == ["timebox", GONE]


@pytest.mark.parametrize(("passed", "expected"), [(50, ["timebox"]), (70, [])])
def test_after_a_restart_the_end_is_told_unless_it_had_passed_before(
    passed: float, expected: list[str]
) -> None:
    machine = running(timebox_secs=60)
    machine.wait(passed)
    machine.effects.clear()
    machine.restart(boot_id="another boot")
    machine.wait(60)

    assert told(machine) == expected


def test_a_long_pause_is_told_once_and_taken_back_when_the_session_goes_on() -> None:
    machine = running(replace(NOTIFYING, notify_max_per_hour=1))
    machine.focus("code")
    machine.feed(PauseSession())
    machine.wait(REMIND_AFTER_SECS - 1)
    assert told(machine) == []
    machine.wait(7200)
    assert told(machine) == ["pause"]
    assert last(machine) == Notification(id=1, about="pause", next_action="write the report")
    machine.feed(ResumeSession())
    assert told(machine) == ["pause", GONE]

    machine.drift_on("steam", "a game")
    assert told(machine) == ["pause", GONE, "a game"], "a pause is not counted"


def test_the_end_of_a_session_takes_the_word_of_its_pause_back() -> None:
    machine = running()
    machine.feed(PauseSession())
    machine.wait(REMIND_AFTER_SECS)
    machine.complete()

    assert told(machine) == ["pause", GONE]


def test_each_long_pause_is_told_and_a_short_one_is_not() -> None:
    machine = running()
    for secs in (REMIND_AFTER_SECS, 60, REMIND_AFTER_SECS):
        machine.feed(PauseSession())
        machine.wait(secs)
        machine.feed(ResumeSession())
        machine.wait(5)

    assert told(machine) == ["pause", GONE] * 2


def test_a_drift_gives_way_to_a_pause_and_is_not_told_again_after_it() -> None:
    machine = running(replace(NOTIFYING, notify_repeat_secs=0.0))
    machine.drift_on("steam", "a game")
    machine.feed(PauseSession())
    assert told(machine) == ["a game", GONE]
    machine.wait(REMIND_AFTER_SECS)
    machine.feed(ResumeSession())
    machine.wait(600)

    assert told(machine) == ["a game", GONE, "pause", GONE]


def test_quiet_hours_hold_the_word_of_a_pause_back() -> None:
    machine = Machine(NOTIFYING)
    of_day = int(machine.time.utc) % DAY_SECS
    quiet = QuietHours(of_day, (of_day + 3600) % DAY_SECS)
    machine.state = replace(machine.state, rules=replace(NOTIFYING, quiet_hours=quiet))
    machine.start("code")
    machine.feed(PauseSession())
    machine.wait(3500)
    assert told(machine) == []
    machine.wait(120)

    assert told(machine) == ["pause"]


def test_nothing_wakes_the_daemon_for_a_notification_that_was_given() -> None:
    machine = running(replace(NOTIFYING, notify_repeat_secs=0.0))
    machine.drift_on("steam", "a game")

    assert wait_secs(machine.state, machine.time.now()) is None

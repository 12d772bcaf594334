"""When a person is told on their desktop, and when that is taken back."""

from dataclasses import replace

import pytest

from antidriftd.core.drift.unanswered import DROPPED_AFTER_SECS
from antidriftd.core.effects import ShowNotification, WithdrawNotification
from antidriftd.core.events import PauseSession, ResumeSession
from antidriftd.core.model import Notification, Window
from antidriftd.core.notifying import wait_secs
from antidriftd.core.presence import REMIND_AFTER_SECS
from antidriftd.core.rules import QuietHours, Rules
from antidriftd.core.timekeeping import OVERTIME_LIMIT_SECS
from tests.builders import RULES, Machine

NOTIFYING = replace(RULES, notifies=True)
DAY_SECS = 86_400
GONE = "withdrawn"


def running(rules: Rules = NOTIFYING, *, timebox_secs: int = 3600) -> Machine:
    """Return a session in which `code` is allowed."""
    machine = Machine(rules)
    machine.start("code", timebox_secs=timebox_secs)
    return machine


def told(machine: Machine) -> list[str]:
    """Return what the person was told, in order: the title that drifted, or the end of time."""
    return [
        _title(effect.notification) if isinstance(effect, ShowNotification) else GONE
        for effect in machine.effects
        if isinstance(effect, ShowNotification | WithdrawNotification)
    ]


def _title(notification: Notification) -> str:
    return notification.window.title if notification.window else notification.about


def last(machine: Machine) -> Notification:
    shown = machine.state.notified.shown
    assert shown is not None
    return shown


def test_a_drift_is_told_once_with_its_reason() -> None:
    machine = running()
    machine.drift_on("steam", "a game", "no game helps a report")
    machine.wait(60)

    assert told(machine) == ["a game"]
    assert last(machine) == Notification(
        id=1,
        about="drift",
        next_action="write the report",
        window=Window("steam", "a game"),
        reason="no game helps a report",
    )


def test_nothing_is_told_when_notifications_are_off() -> None:
    machine = running(RULES, timebox_secs=60)
    machine.drift_on("steam", "a game")
    machine.wait(600)

    assert told(machine) == []


@pytest.mark.parametrize("answer", ["refocus", "on_task", "complete"])
def test_an_answer_takes_it_back(answer: str) -> None:
    machine = running()
    machine.drift_on("steam", "a game")
    getattr(machine, answer)()

    assert told(machine) == ["a game", GONE]
    assert machine.state.notified.shown is None


def test_it_is_taken_back_after_ten_seconds_on_task() -> None:
    machine = running()
    machine.drift_on("steam", "a game")
    machine.focus("code")
    machine.wait(DROPPED_AFTER_SECS - 0.5)
    assert told(machine) == ["a game"]
    machine.wait(1)

    assert told(machine) == ["a game", GONE]
    assert machine.drift.open is not None


def test_one_that_was_taken_back_is_not_told_again_while_it_goes_unanswered() -> None:
    machine = running()
    machine.drift_on("steam", "a game")
    machine.focus("code")
    machine.wait(20)
    machine.focus("kitty", "vim")
    machine.wait(40)
    machine.focus_nothing()
    machine.wait(4000)

    assert told(machine) == ["a game", GONE]


def test_the_next_drift_takes_the_place_of_the_first_under_an_id_of_its_own() -> None:
    machine = running()
    machine.drift_on("steam", "a game")
    machine.drift_on("mpv", "a film")

    assert told(machine) == ["a game", "a film"]
    assert last(machine).id == 2


def test_a_drift_that_goes_on_is_told_again_under_the_same_id() -> None:
    machine = running(timebox_secs=DAY_SECS)
    machine.drift_on("steam", "a game")
    machine.wait(899)
    assert told(machine) == ["a game"]
    machine.wait(2 * 900)

    assert told(machine) == ["a game"] * 3
    assert last(machine).id == 1


def test_repetitions_are_not_counted_and_can_be_switched_off() -> None:
    machine = running(replace(NOTIFYING, notify_max_per_hour=1), timebox_secs=DAY_SECS)
    machine.drift_on("steam", "a game")
    machine.wait(1000)
    silent = running(replace(NOTIFYING, notify_repeat_secs=0.0), timebox_secs=DAY_SECS)
    silent.drift_on("steam", "a game")
    silent.wait(4000)

    assert told(machine) == ["a game"] * 2
    assert told(silent) == ["a game"]


def test_the_hourly_limit_holds_drifts_back_and_lets_the_one_still_open_through_later() -> None:
    machine = running(replace(NOTIFYING, notify_max_per_hour=2), timebox_secs=DAY_SECS)
    for game in ("first", "second", "third", "fourth"):
        machine.drift_on(game, game)
    assert told(machine) == ["first", "second", GONE]
    machine.wait(3600)

    assert told(machine) == ["first", "second", GONE, "fourth"]


def test_the_hourly_limit_outlives_the_session() -> None:
    machine = running(replace(NOTIFYING, notify_max_per_hour=1))
    machine.drift_on("steam", "first")
    machine.complete()
    machine.start("code", timebox_secs=3600)
    machine.drift_on("steam", "second")

    assert told(machine) == ["first", GONE]


@pytest.mark.parametrize("seconds_to_midnight", [0, 3 * 3600, -3 * 3600])
def test_quiet_hours_hold_it_back_until_they_end(seconds_to_midnight: int) -> None:
    machine = Machine(NOTIFYING)
    of_day = int(machine.time.utc) % DAY_SECS
    machine.time.step_wall_clock(DAY_SECS - of_day - seconds_to_midnight)
    rules = replace(NOTIFYING, quiet_hours=QuietHours(20 * 3600, 4 * 3600))
    machine.state = replace(machine.state, rules=rules)
    machine.start("code", timebox_secs=DAY_SECS)
    machine.drift_on("steam", "a game")
    machine.wait(1000)
    assert told(machine) == []
    machine.wait(4 * 3600 + seconds_to_midnight)

    assert "a game" in told(machine)
    assert machine.time.utc % DAY_SECS >= 4 * 3600


def test_quiet_hours_are_in_local_time() -> None:
    now = replace(Machine().time.now(), utc=DAY_SECS * 20_000 + 23.5 * 3600)
    nights = QuietHours(0, 6 * 3600)

    assert nights.wait_secs(now) == 0
    assert nights.wait_secs(replace(now, zone_secs=3600)) == 5.5 * 3600


def test_no_quiet_hours_at_all_when_they_begin_and_end_at_once() -> None:
    now = Machine().time.now()
    second = int(now.utc) % DAY_SECS

    assert QuietHours(second, second).wait_secs(now) == 0


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

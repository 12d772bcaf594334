"""When a person is told on their desktop that they drift, and when that is taken back."""

from dataclasses import replace

import pytest

from antidriftd.core.drift.unanswered import DROPPED_AFTER_SECS
from antidriftd.core.model import Notification, Window
from antidriftd.core.rules import QuietHours
from tests.builders import RULES, Machine
from tests.core.notifying.told import DAY_SECS, GONE, NOTIFYING, last, running, told


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

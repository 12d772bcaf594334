"""Idle hands: when they are an absence, and what becomes of the time before."""

from dataclasses import replace

import pytest

from antidriftd.core.events import (
    InputSeen,
    ScreenLocked,
    SensorChanged,
)
from antidriftd.core.presence_state import Absence, Away
from tests.builders import RULES, SENSOR_LOST, Machine
from tests.core.presence.desk import DAY, HOUR, Desk, at_work, sums


class TestIdleHands:
    def test_are_away_after_three_minutes_and_then_from_the_last_input_on(self) -> None:
        machine, desk = at_work()
        desk.work(100)
        desk.idle(170)
        assert sums(machine) == (0, 0, 270, 0)
        desk.idle(30)

        assert sums(machine) == (0, 0, 100, 200)
        assert machine.active.away == Away("idle", desk.touched)

    def test_on_task_are_away_only_after_ten_minutes(self) -> None:
        machine, desk = at_work()
        machine.focus("code")
        desk.work(50)
        desk.idle(590)
        assert sums(machine) == (640, 0, 0, 0)
        desk.idle(20)

        assert sums(machine) == (50, 0, 0, 610)

    def test_in_a_drift_never_are(self) -> None:
        machine, desk = at_work()
        desk.touch()
        machine.drift_on("mpv", "a film")
        desk.idle(2 * HOUR)

        assert machine.active.away is None
        assert machine.status() == "drifting"
        assert sums(machine)[1] == pytest.approx(2 * HOUR, abs=1)

    def test_before_a_drift_stay_what_they_were(self) -> None:
        """A film that ends: the drift was one, and the time after it is none."""
        machine, desk = at_work()
        desk.touch()
        machine.drift_on("mpv", "a film")
        desk.idle(300)
        drifted = sums(machine)[1]
        machine.focus_nothing()
        desk.idle(10)

        assert sums(machine)[1] == pytest.approx(drifted, abs=0.1)
        assert machine.active.away

    def test_come_back_with_a_word_on_what_happened(self) -> None:
        machine, desk = at_work()
        desk.work(10)
        desk.idle(600)
        desk.touch()

        assert machine.active.away is None
        assert machine.active.absence == Absence("idle", machine.time.boot - 600, 600)
        (notice,) = machine.state.notices
        assert "away for 10 min" in notice.text
        assert "antidrift extend --away" in notice.text

    def test_of_nobody_knows_who_are_never_away(self) -> None:
        machine, _ = at_work()
        machine.wait(2 * HOUR)

        assert machine.active.away is None
        assert sums(machine) == (0, 0, 2 * HOUR, 0)

    def test_that_move_as_a_command_is_given_are_back(self) -> None:
        machine, desk = at_work()
        desk.idle(300)
        machine.extend(60)

        assert machine.active.away is None

    def test_are_forgotten_with_the_sensor(self) -> None:
        machine, desk = at_work()
        desk.idle(300)
        machine.feed(SensorChanged(SENSOR_LOST))

        assert machine.active.away is None
        assert machine.state.presence.last_input is None

    def test_are_judged_by_the_setting(self) -> None:
        machine = Machine(replace(RULES, idle_secs=60))
        machine.start("code", timebox_secs=DAY)
        Desk(machine).idle(70)

        assert machine.active.away

    def test_are_one_absence_over_a_sleep(self) -> None:
        machine, desk = at_work()
        desk.work(50)
        desk.idle(300)
        machine.time.suspend(HOUR)
        machine.feed(InputSeen(300))
        assert machine.active.away == Away("idle", desk.touched)
        machine.wait(10)
        desk.touch()

        assert machine.active.absence
        assert machine.active.absence.secs == pytest.approx(HOUR + 310)


class TestASession:
    def test_is_not_judged_while_nobody_is_there(self) -> None:
        machine, desk = at_work()
        desk.idle(300)
        machine.focus("steam", "a game")
        desk.idle(60)
        assert machine.asked == []
        desk.touch()
        machine.wait(2)

        assert [window.title for window in machine.asked] == ["a game"]

    def test_whose_end_passes_in_an_absence_is_in_overtime(self) -> None:
        machine, desk = at_work()
        machine.complete()
        machine.start("code", timebox_secs=600)
        desk.touch()
        desk.idle(1200)
        desk.touch()

        assert machine.state.phase.name == "active"
        assert not machine.active.stale

    def test_is_stale_after_four_hours_away_and_has_no_time_of_them(self) -> None:
        machine, desk = at_work()
        desk.work(100)
        machine.feed(ScreenLocked(locked=True))
        machine.wait(4 * HOUR)
        machine.feed(ScreenLocked(locked=False))

        assert machine.active.stale
        assert machine.length_secs == pytest.approx(100)


def test_an_absence_is_over_for_good_once_a_session_ends() -> None:
    machine, desk = at_work()
    desk.idle(300)
    machine.complete()
    machine.start("code", timebox_secs=DAY)

    assert machine.active.away is None
    assert machine.active.absence is None

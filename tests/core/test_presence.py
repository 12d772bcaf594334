"""Absences: idle hands, a locked screen, sleep, a pause; what they count as, and what is said."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from antidriftd.core.effects import ShowNotification
from antidriftd.core.events import (
    ExtendSession,
    InputSeen,
    MachineSleeps,
    PauseSession,
    ResumeSession,
    ScreenLocked,
    SensorChanged,
    TimeElapsed,
)
from antidriftd.core.machine import next_deadline
from antidriftd.core.presence_state import Absence, Away
from tests.builders import NO_JUDGE, RULES, SENSOR_LOST, Machine

HOUR = 3600.0
DAY = 86_400


class Desk:
    """A machine at which somebody sits, or doesn't: a sensor tells of input every ten seconds."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.touched = machine.time.boot

    def touch(self) -> None:
        self.touched = self.machine.time.boot
        self.tell()

    def tell(self) -> None:
        self.machine.feed(InputSeen(self.machine.time.boot - self.touched))

    def work(self, secs: float) -> None:
        for _ in range(int(secs // 10)):
            self.machine.wait(10)
            self.touch()

    def idle(self, secs: float) -> None:
        for _ in range(int(secs // 10)):
            self.machine.wait(10)
            self.tell()


def at_work(*classes: str) -> tuple[Machine, Desk]:
    machine = Machine()
    machine.start(*(classes or ("code",)), timebox_secs=DAY)
    return machine, Desk(machine)


def sums(machine: Machine) -> tuple[float, float, float, float]:
    evidence = machine.evidence
    four = (
        evidence.ontask_secs,
        evidence.drift_secs,
        evidence.unjudged_secs,
        evidence.away_secs,
    )
    on_task, drift, unjudged, away = (round(secs, 3) for secs in four)
    return on_task, drift, unjudged, away


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


@pytest.mark.parametrize(("event", "reason"), [(ScreenLocked, "locked"), (MachineSleeps, "asleep")])
class TestALockedScreenOrASleepingMachine:
    def test_is_away_from_its_first_second(
        self, event: Callable[[bool], ScreenLocked | MachineSleeps], reason: str
    ) -> None:
        machine, _ = at_work()
        machine.focus("code")
        machine.wait(10)
        machine.feed(event(True))
        machine.wait(30)
        assert machine.active.away
        assert machine.active.away.reason == reason
        machine.feed(event(False))
        machine.wait(5)

        assert sums(machine) == (15, 0, 0, 30)
        assert machine.state.notices == ()

    def test_even_in_a_drift(
        self, event: Callable[[bool], ScreenLocked | MachineSleeps], reason: str
    ) -> None:
        machine, _ = at_work()
        machine.drift_on("mpv", "a film")
        drifted = sums(machine)[1]
        machine.feed(event(True))
        machine.wait(120)
        machine.feed(event(False))

        assert sums(machine)[1] == drifted
        assert sums(machine)[3] == 120
        assert len(machine.state.notices) == 1
        del reason


class TestSleepThatNobodyAnnounced:
    def test_is_told_on_return_and_can_be_added(self) -> None:
        machine, _ = at_work()
        machine.wait(100)
        machine.suspend(1800)
        assert sums(machine) == (0, 0, 100, 1800)
        (notice,) = machine.state.notices
        assert "away for 30 min" in notice.text
        ends = machine.session.ends
        machine.feed(ExtendSession(away=True))

        assert machine.session.ends == ends + 1800
        assert not machine.state.notices

    def test_is_added_once_only(self) -> None:
        machine, _ = at_work()
        machine.suspend(1800)
        machine.feed(ExtendSession(away=True))

        assert machine.refused(ExtendSession(away=True)) == "invalid_value"

    def test_is_one_absence_with_the_announced_one(self) -> None:
        machine, _ = at_work()
        machine.feed(MachineSleeps(asleep=True))
        machine.time.advance(1)
        machine.time.suspend(1800)
        machine.feed(MachineSleeps(asleep=False))

        assert machine.active.absence
        assert machine.active.absence.secs == pytest.approx(1801)
        assert len(machine.state.notices) == 1


def test_without_an_absence_there_is_nothing_to_add() -> None:
    machine, _ = at_work()

    assert machine.refused(ExtendSession(away=True)) == "invalid_value"
    assert machine.refused(ExtendSession()) == "invalid_value"


class TestAPause:
    def test_stops_the_time_and_the_judging(self) -> None:
        machine, _ = at_work()
        machine.focus("steam", "a game")
        machine.feed(PauseSession())
        machine.wait(600)
        assert machine.asked == []
        assert machine.active.away == Away("paused", machine.time.boot - 600)
        ends = machine.session.ends
        machine.feed(ResumeSession())

        assert machine.session.ends == ends + 600
        assert sums(machine) == (0, 0, 0, 600)
        machine.wait(2)
        assert len(machine.asked) == 1

    def test_reminds_after_a_quarter_of_an_hour_until_it_ends(self) -> None:
        machine, _ = at_work()
        machine.feed(PauseSession())
        machine.wait(15 * 60 - 1)
        assert not machine.state.notices
        machine.wait(1)
        assert "antidrift resume" in machine.state.notices[0].text
        machine.feed(ResumeSession())

        assert machine.state.notices == ()

    def test_ends_only_by_hand(self) -> None:
        machine, desk = at_work()
        machine.feed(PauseSession())
        desk.work(100)
        machine.feed(ScreenLocked(locked=True))
        machine.feed(ScreenLocked(locked=False))
        machine.extend(60)

        assert machine.active.away
        assert machine.active.away.reason == "paused"

    def test_has_no_overtime(self) -> None:
        machine = Machine(NO_JUDGE)
        machine.start("code", timebox_secs=60)
        machine.feed(PauseSession())
        machine.wait(3.5 * HOUR)
        assert not machine.active.stale
        machine.feed(ResumeSession())

        assert machine.session.ends - machine.time.boot == pytest.approx(60)

    def test_of_four_hours_leaves_the_session_stale(self) -> None:
        machine, _ = at_work()
        machine.wait(10)
        machine.feed(PauseSession())
        machine.wait(5 * HOUR)
        machine.feed(ResumeSession())

        assert machine.active.stale
        assert machine.length_secs == pytest.approx(10)

    def test_survives_a_restart_and_a_reboot(self) -> None:
        machine, _ = at_work()
        machine.feed(PauseSession())
        machine.wait(100)
        saved = machine.saved()
        machine.time.reboot(500)
        machine.restart(saved, boot_id="another")
        machine.feed(TimeElapsed())
        ends = machine.session.ends
        machine.feed(ResumeSession())

        assert machine.session.ends == pytest.approx(ends + 600)
        assert sums(machine)[3] == pytest.approx(600)

    def test_that_was_long_is_told_after_a_restart_and_not_again_on_the_desktop(
        self,
    ) -> None:
        machine = Machine(replace(NO_JUDGE, notifies=True))
        machine.start("code", timebox_secs=DAY)
        machine.feed(PauseSession())
        machine.wait(1000)
        machine.restart()
        machine.effects.clear()
        machine.feed(TimeElapsed())
        machine.wait(100)

        assert "antidrift resume" in machine.state.notices[0].text
        assert not [effect for effect in machine.effects if isinstance(effect, ShowNotification)]

    def test_is_extended_by_what_is_said(self) -> None:
        machine = Machine(NO_JUDGE)
        machine.start("code", timebox_secs=180)
        machine.feed(PauseSession())
        machine.wait(600)
        machine.extend(600)
        machine.feed(ResumeSession())

        assert machine.session.ends - machine.time.boot == pytest.approx(780)

    def test_in_overtime_does_not_tell_the_end_twice(self) -> None:
        machine = Machine(replace(NO_JUDGE, notifies=True))
        machine.start("code", timebox_secs=60)
        machine.wait(100)
        machine.feed(PauseSession())
        machine.wait(100)
        machine.effects.clear()
        machine.feed(ResumeSession())
        machine.wait(100)

        assert not [effect for effect in machine.effects if isinstance(effect, ShowNotification)]

    def test_can_be_completed(self) -> None:
        machine, _ = at_work()
        machine.wait(50)
        machine.feed(PauseSession())
        machine.wait(1000)
        machine.complete()

        assert sums(machine) == (0, 0, 50, 1000)
        assert machine.state.notices == ()

    @pytest.mark.parametrize("command", [PauseSession(), ResumeSession()])
    def test_is_refused_where_it_makes_no_sense(self, command: PauseSession) -> None:
        machine, _ = at_work()
        if isinstance(command, PauseSession):
            machine.feed(PauseSession())
        assert machine.refused(command) == "invalid_value"
        stale, _ = at_work()
        stale.suspend(5 * HOUR)
        assert stale.active.stale

        assert stale.refused(command) == "invalid_value"

    def test_wakes_the_daemon_for_the_reminder_only(self) -> None:
        machine = Machine(NO_JUDGE)
        machine.start("code", timebox_secs=DAY)
        machine.feed(PauseSession())
        machine.state = replace(
            machine.state, saving=replace(machine.state.saving, checkpoint_at=float("inf"))
        )

        assert next_deadline(machine.state, machine.time.now()) == 15 * 60


def test_an_absence_is_over_for_good_once_a_session_ends() -> None:
    machine, desk = at_work()
    desk.idle(300)
    machine.complete()
    machine.start("code", timebox_secs=DAY)

    assert machine.active.away is None
    assert machine.active.absence is None

"""A pause: the time stands still until the person says otherwise."""

from dataclasses import replace

import pytest

from antidriftd.core.effects import ShowNotification
from antidriftd.core.events import (
    PauseSession,
    ResumeSession,
    ScreenLocked,
    TimeElapsed,
)
from antidriftd.core.machine import next_deadline
from antidriftd.core.presence_state import Away
from tests.builders import NO_JUDGE, Machine
from tests.core.presence.desk import DAY, HOUR, at_work, sums


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

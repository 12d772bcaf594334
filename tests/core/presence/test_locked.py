"""A locked screen and a sleeping machine, announced or not."""

from collections.abc import Callable

import pytest

from antidriftd.core.events import (
    ExtendSession,
    MachineSleeps,
    ScreenLocked,
)
from tests.core.presence.desk import at_work, sums


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

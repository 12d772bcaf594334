"""The stale rule: a session left behind is neither judged nor counted until someone says so."""

from collections.abc import Callable

import pytest

from antidriftd.core.events import AllowContext
from antidriftd.core.machine import next_deadline
from tests.builders import Machine

HOUR = 3600.0


def running(*classes: str, timebox_secs: int = 3600) -> Machine:
    machine = Machine()
    machine.start(*classes, timebox_secs=timebox_secs)
    return machine


def overtime_of_two_hours() -> Machine:
    machine = running("code")
    machine.focus("code")
    machine.wait(3 * HOUR)
    return machine


def night_asleep() -> Machine:
    machine = running("code", timebox_secs=86_400)
    machine.focus("code")
    machine.wait(HOUR)
    machine.suspend(4 * HOUR)
    return machine


def night_switched_off() -> Machine:
    machine = running("code", timebox_secs=86_400)
    machine.focus("code")
    machine.wait(HOUR)
    saved = machine.saved()
    machine.time.advance(4 * HOUR)
    machine.restart(saved)
    return machine


def night_stopped() -> Machine:
    machine = running("code", timebox_secs=86_400)
    machine.focus("code")
    machine.wait(HOUR)
    machine.time.advance(4 * HOUR + 60)
    machine.wait(1)
    return machine


class TestASessionIsStale:
    def test_two_hours_over_its_end(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(3 * HOUR - 1)
        assert machine.status() == "ontask"
        machine.wait(1)

        assert machine.active.stale
        assert machine.length_secs == pytest.approx(3 * HOUR)

    def test_two_hours_over_its_end_while_asleep(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(HOUR - 10)
        machine.suspend(2 * HOUR + 100)

        assert machine.active.stale
        assert machine.evidence.ontask_secs == pytest.approx(HOUR - 10)
        assert machine.evidence.away_secs == pytest.approx(2 * HOUR + 10)

    def test_after_four_hours_asleep(self) -> None:
        machine = running(timebox_secs=86_400)
        machine.wait(HOUR)
        machine.suspend(4 * HOUR - 1)
        assert machine.status() == "idle"
        assert machine.length_secs == pytest.approx(5 * HOUR - 1)
        machine.wait(1)
        machine.suspend(4 * HOUR)

        assert machine.active.stale
        assert machine.length_secs == pytest.approx(5 * HOUR)

    def test_with_its_timebox_ended_it_is_only_in_overtime_at_first(self) -> None:
        machine = running()
        machine.wait(2 * HOUR)

        assert not machine.active.stale
        assert machine.state.phase.name == "active"

    @pytest.mark.parametrize(
        "left_behind",
        [overtime_of_two_hours, night_asleep, night_switched_off, night_stopped],
    )
    def test_whichever_way_it_was_left_behind(self, left_behind: Callable[[], Machine]) -> None:
        assert left_behind().active.stale


@pytest.mark.parametrize("night", [night_asleep, night_stopped, night_switched_off])
def test_its_length_leaves_the_night_out(night: Callable[[], Machine]) -> None:
    machine = night()

    assert HOUR <= machine.length_secs <= HOUR + 61
    assert machine.evidence.away_secs == 0


class TestAStaleSession:
    def test_is_idle_with_no_open_drift_and_keeps_its_episodes(self) -> None:
        machine = running("code")
        machine.drift_on("steam")
        machine.wait(4 * HOUR)

        assert (machine.status(), machine.drift.open) == ("idle", None)
        assert machine.drift.episodes == 1
        assert machine.drift.since == machine.session.ends + 2 * HOUR

    def test_is_neither_judged_nor_counted(self) -> None:
        machine = overtime_of_two_hours()
        evidence = machine.evidence
        machine.focus("steam")
        machine.wait(10 * HOUR)
        machine.focus("code")
        machine.suspend(10 * HOUR)

        assert machine.asked == []
        assert machine.status() == "idle"
        assert machine.evidence == evidence

    def test_has_its_question_voided(self) -> None:
        machine = running(timebox_secs=86_400)
        machine.focus("steam")
        machine.wait(2)
        machine.suspend(5 * HOUR)

        assert machine.ended == [1]

    def test_needs_no_timer(self) -> None:
        machine = overtime_of_two_hours()

        assert next_deadline(machine.state, machine.time.now()) is None

    def test_shows_the_window_in_front_still(self) -> None:
        machine = overtime_of_two_hours()
        machine.focus("steam", "a game")

        assert machine.state.window is not None
        assert machine.state.window.title == "a game"

    def test_has_no_drift_to_answer(self) -> None:
        assert night_asleep().refused(AllowContext()) == "invalid_value"

    def test_stays_so_over_a_restart(self) -> None:
        machine = overtime_of_two_hours()
        length = machine.length_secs
        machine.time.advance(100)
        machine.restart()
        machine.wait(100)

        assert machine.active.stale
        assert machine.length_secs == length


@pytest.mark.parametrize(
    "left_behind", [overtime_of_two_hours, night_asleep, night_switched_off, night_stopped]
)
class TestGoingOn:
    def test_extend_counts_on_from_now(self, left_behind: Callable[[], Machine]) -> None:
        machine = left_behind()
        length = machine.length_secs
        machine.focus("code")
        machine.wait(HOUR)
        machine.extend(600)
        assert not machine.active.stale
        assert machine.session.ends >= machine.time.boot + 600
        assert machine.status() == "ontask"
        machine.wait(100)

        assert machine.length_secs == pytest.approx(length + 100)

    def test_extend_judges_the_window_in_front(self, left_behind: Callable[[], Machine]) -> None:
        machine = left_behind()
        machine.focus("steam")
        machine.wait(HOUR)
        machine.extend(600)
        machine.wait(1.9)
        assert machine.status() == "idle"
        machine.wait(0.1)

        assert machine.status() == "pending"

    def test_complete_ends_it_with_the_length_it_had(
        self, left_behind: Callable[[], Machine]
    ) -> None:
        machine = left_behind()
        length = machine.length_secs
        machine.wait(HOUR)
        machine.complete()

        assert machine.state.phase.name == "review"
        assert machine.length_secs == length

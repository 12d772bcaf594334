"""How a session's time is counted, and that it always adds up."""

import pytest

from antidriftd.core import evidence as totals
from antidriftd.core.evidence import MAX_CLASSES, Evidence, length_secs
from antidriftd.core.model import Moment
from tests.builders import Machine

NOW = Moment(0, 0, 0)


def running(*classes: str) -> Machine:
    machine = Machine()
    machine.start(*classes, timebox_secs=3600)
    return machine


def sums(machine: Machine) -> tuple[float, float, float, float]:
    """Return the time on task, in drift, unjudged and away."""
    evidence = machine.evidence
    return (
        round(evidence.ontask_secs, 6),
        round(evidence.drift_secs, 6),
        round(evidence.unjudged_secs, 6),
        round(evidence.away_secs, 6),
    )


class TestTimeIsCountedUnderTheStatusInForce:
    def test_by_status(self) -> None:
        machine = running("code")
        machine.wait(1)
        machine.focus("code")
        machine.wait(10)
        machine.focus("steam")
        machine.wait(2)
        machine.wait(3)
        machine.answer(False)
        machine.wait(100)

        assert sums(machine) == (10, 100, 6, 0)

    def test_and_never_back_dated(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(50)
        machine.answer(False)
        assert sums(machine) == (0, 0, 50, 0)
        machine.on_task()

        assert sums(machine) == (0, 0, 50, 0)

    def test_with_no_window_and_no_sensor_as_unjudged(self) -> None:
        machine = running("code")
        machine.wait(10)
        machine.lose_sensor()
        machine.wait(20)

        assert sums(machine) == (0, 0, 30, 0)

    def test_up_to_now_between_events(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.time.advance(7)

        assert machine.evidence.ontask_secs == 7

    def test_and_not_after_the_end_of_the_session(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(10)
        machine.complete()
        machine.wait(100)

        assert sums(machine) == (10, 0, 0, 0)


class TestSleep:
    """Bugs 39 and 40: a lid closed for the night counted as work; timers stood still."""

    def test_is_away_and_no_focus(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(1800)
        machine.suspend(1200)
        machine.wait(60)

        assert sums(machine) == (1860, 0, 0, 1200)

    def test_leaves_the_end_of_the_session_where_it_was(self) -> None:
        machine = running()
        ends = machine.session.ends
        machine.wait(1800)
        machine.suspend(1200)

        assert machine.session.ends == ends
        assert machine.session.ends - machine.time.boot == 600

    def test_past_the_end_is_overtime(self) -> None:
        machine = running()
        machine.wait(1800)
        machine.suspend(3600)

        assert not machine.active.stale
        assert machine.time.boot - machine.session.ends == 1800

    def test_raises_no_drift_at_wake_up(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(1)
        machine.suspend(3 * 3600)

        assert machine.status() == "idle"
        assert machine.drift.open is None

    def test_while_drifting_is_no_drift(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.wait(100)
        machine.suspend(1000)

        assert machine.evidence.drift_secs == pytest.approx(100)
        assert machine.evidence.away_secs == pytest.approx(1000)

    def test_of_less_than_a_second_is_no_sleep(self) -> None:
        """Two clocks are never read at the same instant."""
        machine = running("code")
        machine.focus("code")
        machine.time.advance(5)
        machine.suspend(0.5)

        assert sums(machine) == (5.5, 0, 0, 0)


class TestStoppedDaemon:
    """SIGSTOP or a frozen cgroup: the machine was awake, and nobody was watching."""

    def test_counts_as_unjudged(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.time.advance(1_000)

        assert sums(machine) == (60, 0, 940, 0)
        assert length_secs(machine.evidence) == 1_000

    def test_does_not_end_an_open_drift(self) -> None:
        machine = running("code")
        machine.drift_on("steam", "a game")
        machine.focus("code")
        machine.time.advance(1_000)
        machine.wait(1)

        assert machine.open_title == "a game"


class TestWallClock:
    @pytest.mark.parametrize("step", [-86_400.0, -3600.0, 3600.0, 1e9])
    def test_stepping_changes_no_sum(self, step: float) -> None:
        """Bug S5: a session across a DST change has its true length."""
        machine = running("code")
        machine.focus("code")
        machine.wait(100)
        machine.time.step_wall_clock(step)
        machine.wait(100)

        assert sums(machine) == (200, 0, 0, 0)

    def test_stepping_shows_the_end_at_its_new_time(self) -> None:
        machine = running()
        revision = machine.state.revision
        before = machine.session.ends + machine.state.utc_offset
        machine.time.step_wall_clock(3600)
        machine.focus("code")

        assert machine.session.ends + machine.state.utc_offset == before + 3600
        assert machine.state.revision > revision

    def test_slewing_is_no_news(self) -> None:
        machine = running("code")
        machine.focus("code")
        revision = machine.state.revision
        machine.time.step_wall_clock(0.9)
        machine.wait(100)

        assert machine.state.revision == revision


class TestByClass:
    def test_each_class_has_its_time_under_each_status(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(10)
        machine.focus("steam")
        machine.wait(5)
        machine.answer(False)
        machine.wait(20)
        machine.suspend(100)

        assert machine.evidence.by_class == {
            ("code", "ontask"): pytest.approx(10),
            ("steam", "unjudged"): pytest.approx(5),
            ("steam", "drift"): pytest.approx(20),
            ("steam", "away"): pytest.approx(100),
        }

    def test_is_bounded_and_keeps_the_largest_and_the_sum(self) -> None:
        evidence = Evidence(as_of=NOW)
        for number in range(1_000):
            secs = 1.0 + number % 400
            evidence = totals.add(evidence, secs, f"class {number % 400}", "drift", NOW)

        assert len(evidence.by_class) <= MAX_CLASSES + 1
        assert sum(evidence.by_class.values()) == evidence.drift_secs == length_secs(evidence)
        assert max(evidence.by_class, key=evidence.by_class.__getitem__) == ("", "drift")
        assert ("class 399", "drift") in evidence.by_class
        assert ("class 0", "drift") not in evidence.by_class

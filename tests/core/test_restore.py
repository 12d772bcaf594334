"""What survives a restart, a kill and a reboot."""

from dataclasses import replace

import pytest

from antidriftd.core.drift.state import Drift
from antidriftd.core.events import TimeElapsed
from antidriftd.core.evidence import length_secs
from antidriftd.core.recording_state import Interval
from antidriftd.core.restore import Saved, restore, saved_from
from antidriftd.core.state import Active, Idle, Planning, Review
from tests.builders import BOOT_ID, NO_JUDGE, RULES, SENSOR_OK, Machine, a_state
from tests.fakes.clock import FakeTime

REBOOTED = "second boot"


def running(*classes: str) -> Machine:
    machine = Machine()
    machine.start(*classes, titles=("report",), timebox_secs=3600)
    return machine


class TestTheFirstStart:
    def test_is_idle_and_durable(self) -> None:
        state = a_state(now=FakeTime().now())

        assert state.phase == Idle()
        assert state.saving.durable
        assert state.saving.settled

    def test_has_a_revision_from_the_wall_clock_in_microseconds(self) -> None:
        time = FakeTime()

        assert a_state(now=time.now()).revision == 1_800_000_000_000_000


class TestTheRevisionRises:
    def test_over_a_restart(self) -> None:
        machine = running()
        before = machine.state.revision
        machine.restart()

        assert machine.state.revision > before

    def test_with_the_wall_clock_stepped_back(self) -> None:
        machine = running()
        before = machine.state.revision
        machine.time.step_wall_clock(-1e9)
        machine.restart()

        assert machine.state.revision == before + 1

    def test_over_a_lost_snapshot(self) -> None:
        machine = running()
        before = machine.state.revision
        machine.time.advance(0.001)

        assert a_state(now=machine.time.now()).revision > before


class TestEachPhase:
    def test_idle_comes_back(self) -> None:
        machine = Machine()
        machine.restart()

        assert machine.state.phase == Idle()

    def test_planning_comes_back_with_its_intent(self) -> None:
        machine = Machine()
        machine.plan("the report")
        machine.restart()

        assert machine.state.phase == Planning("the report")

    def test_review_comes_back_as_it_was(self) -> None:
        machine = running()
        machine.wait(100)
        machine.complete()
        before = machine.state.phase
        machine.time.advance(50_000)
        machine.restart()

        assert machine.state.phase == before

    def test_what_the_history_lacks_comes_back_under_the_same_numbers(self) -> None:
        machine = running()
        machine.history_trouble = "no space"
        machine.wait(10)
        machine.complete()
        machine.review("done", "went well")
        waiting = machine.state.recording.waiting
        assert waiting
        machine.restart()
        assert machine.state.recording.waiting == waiting
        machine.history_trouble = ""
        machine.feed(TimeElapsed())

        assert list(machine.history) == [entry.number for entry in waiting]
        assert machine.state.recording.waiting == ()

    def test_a_session_comes_back_with_its_allowed_context_and_drift_idle(self) -> None:
        machine = running("code")
        machine.drift_on("steam")
        before = machine.session
        machine.restart()

        assert machine.drift == Drift(episodes=1, since=machine.time.boot)
        assert machine.session == before
        assert machine.allowed == [("class", "code"), ("title", "report")]
        machine.focus("code")
        assert machine.status() == "ontask"


class TestWhatIsNotKept:
    def test_is_verdicts_questions_and_what_was_in_front(self) -> None:
        machine = running()
        machine.drift_on("steam", "a secret game")
        machine.focus("mpv", "a secret film")
        machine.wait(10)
        machine.refocus()
        saved = machine.saved()

        assert "secret" not in repr(saved)
        assert isinstance(saved.phase, Active)
        assert saved.phase.drift == Drift(episodes=1)

    def test_is_a_late_answer_to_a_question_of_the_last_run(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.restart()
        machine.focus("steam")
        machine.wait(2)

        assert machine.status() == "pending"
        assert len(machine.asked) == 2


class TestTimeWithoutADaemon:
    def test_is_unjudged(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(100)
        saved = machine.saved()
        machine.time.advance(1_000)
        machine.restart(saved)
        machine.wait(10)

        evidence = machine.evidence
        assert (evidence.ontask_secs, evidence.unjudged_secs) == (100, 1_010)
        assert length_secs(evidence) == machine.time.boot - machine.session.started

    def test_is_unjudged_also_when_the_machine_slept(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(100)
        saved = machine.saved()
        machine.time.suspend(1_000)
        machine.restart(saved)

        assert (machine.evidence.unjudged_secs, machine.evidence.away_secs) == (1_000, 0)

    def test_after_a_kill_is_what_was_not_saved_and_less_than_a_minute(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.disk = "slow"
        on_disk, killed_after = machine.saved(), 1234.5
        for _ in range(int(killed_after * 2)):
            revisions = len(machine.effects)
            machine.wait(0.5)
            if len(machine.effects) > revisions:
                on_disk = saved_from(machine.state, BOOT_ID)
        machine.restart(on_disk)

        assert killed_after - 60 < machine.evidence.ontask_secs < killed_after
        assert machine.length_secs == killed_after

    def test_past_the_end_is_overtime(self) -> None:
        machine = running()
        saved = machine.saved()
        machine.time.advance(2 * 3600)
        machine.restart(saved)

        assert not machine.active.stale
        assert machine.time.boot - machine.session.ends == 3600


class TestReboot:
    @pytest.mark.parametrize("off_secs", [0.0, 30.0, 3_000.0])
    def test_the_session_ends_at_the_same_time_of_day(self, off_secs: float) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(100)
        ends_at = machine.session.ends + machine.state.utc_offset
        saved = machine.saved()
        machine.time.reboot(off_secs)
        machine.restart(saved, boot_id=REBOOTED)

        assert machine.session.ends + machine.state.utc_offset == pytest.approx(ends_at, abs=1e-3)
        assert machine.evidence.ontask_secs == 100
        assert machine.evidence.unjudged_secs == pytest.approx(off_secs, abs=1e-3)
        machine.wait(100)
        assert machine.length_secs == pytest.approx(200 + off_secs, abs=1e-3)

    def test_with_the_wall_clock_stepped_back_loses_and_invents_no_time(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(100)
        saved = machine.saved()
        machine.time.reboot(30)
        machine.time.step_wall_clock(-86_400)
        machine.restart(saved, boot_id=REBOOTED)
        machine.wait(10)

        assert machine.length_secs == pytest.approx(110, abs=1e-3)
        assert machine.session.ends - machine.time.boot == pytest.approx(3490, abs=1e-3)

    def test_after_a_night_is_stale(self) -> None:
        machine = running()
        saved = machine.saved()
        machine.time.reboot(5 * 3600)
        machine.restart(saved, boot_id=REBOOTED)

        assert machine.active.stale
        assert machine.length_secs == 0

    def test_twice(self) -> None:
        machine = running()
        machine.wait(100)
        for boot in range(2):
            saved = machine.saved()
            machine.time.reboot(50)
            machine.restart(saved, boot_id=f"boot {boot}")
            machine.wait(10)

        assert machine.length_secs == pytest.approx(220, abs=1e-3)
        assert machine.session.ends - machine.time.boot == pytest.approx(3380, abs=1e-3)

    def test_moves_the_times_of_a_review_along(self) -> None:
        machine = running()
        machine.wait(100)
        machine.complete()
        before = machine.state
        assert isinstance(before.phase, Review)
        ended_at = before.phase.ended + before.utc_offset
        saved = machine.saved()
        machine.time.reboot(1000)
        machine.restart(saved, boot_id=REBOOTED)
        after = machine.state
        assert isinstance(after.phase, Review)

        assert after.phase.ended + after.utc_offset == pytest.approx(ended_at, abs=1e-3)
        assert after.phase.ended - after.phase.session.started == pytest.approx(100)

    def test_moves_the_spans_of_a_session_along(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(100)
        began_at = machine.time.utc - 100
        saved = machine.saved()
        machine.time.reboot(1000)
        machine.restart(saved, boot_id=REBOOTED)
        machine.complete()
        first = next(each for each in machine.history.values() if isinstance(each, Interval))

        assert first.bucket == "ontask"
        assert first.secs == pytest.approx(100)
        assert first.began == pytest.approx(began_at, abs=1e-3)


@pytest.mark.parametrize("phase", ["idle", "planning", "active", "stale", "review"])
def test_what_is_saved_and_restored_at_one_moment_is_saved_the_same_again(phase: str) -> None:
    machine = Machine(NO_JUDGE)
    if phase == "planning":
        machine.plan("the report")
    if phase in {"active", "stale", "review"}:
        machine.start("code", titles=("report",))
        machine.focus("code")
        machine.wait(60 * 3600 if phase == "stale" else 60)
    if phase == "review":
        machine.complete()
    saved = machine.saved()
    restored = restore(
        saved, rules=RULES, sensor=SENSOR_OK, boot_id=BOOT_ID, now=machine.time.now()
    )

    assert replace(saved_from(restored, BOOT_ID), revision=0) == replace(saved, revision=0)


def test_a_daemon_without_a_snapshot_starts_from_an_empty_one() -> None:
    now = FakeTime().now()

    assert a_state(now=now) == a_state(now=now, saved=Saved(revision=0, boot_id=BOOT_ID))

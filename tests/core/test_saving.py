"""When the state is written, what a command waits for, and what is said when the disk refuses."""

from itertools import pairwise

import pytest

from antidriftd.core.effects import SaveSnapshot
from antidriftd.core.events import SnapshotFailed, SnapshotSaved
from antidriftd.core.saving import CHECKPOINT_SECS
from tests.builders import Machine


def machine_on(disk: str) -> Machine:
    machine = Machine()
    machine.disk = "slow" if disk == "slow" else "full"
    return machine


def is_settled(machine: Machine) -> bool:
    return machine.state.saving.settled


def saves(machine: Machine) -> int:
    return machine.effects.count(SaveSnapshot())


class TestACommand:
    def test_is_saved_at_once(self) -> None:
        machine = Machine()
        machine.plan()

        assert saves(machine) == 1
        assert machine.state.saving.durable

    def test_of_a_running_session_is_saved_once(self) -> None:
        machine = Machine()
        machine.start()
        machine.wait(10)
        before = saves(machine)
        machine.extend(60)
        machine.wait(10)

        assert saves(machine) == before + 1

    def test_is_undecided_until_the_disk_has_answered(self) -> None:
        machine = machine_on("slow")
        machine.plan()
        assert not is_settled(machine)
        machine.feed(SnapshotSaved(machine.state.revision))

        assert is_settled(machine)
        assert machine.state.saving.durable

    def test_is_not_settled_by_the_save_of_an_earlier_revision(self) -> None:
        machine = machine_on("slow")
        machine.plan("a")
        first = machine.state.revision
        machine.plan("b")
        machine.feed(SnapshotSaved(first))
        assert not is_settled(machine)
        machine.feed(SnapshotSaved(first + 1))

        assert machine.state.saving.durable

    def test_is_settled_by_the_save_of_a_later_revision(self) -> None:
        machine = machine_on("slow")
        machine.plan()
        machine.focus("code")
        machine.feed(SnapshotSaved(machine.state.revision))

        assert machine.state.saving.durable

    def test_that_is_saved_is_no_second_revision(self) -> None:
        machine = machine_on("slow")
        machine.plan()
        revision = machine.state.revision
        machine.feed(SnapshotSaved(revision))

        assert machine.state.revision == revision

    def test_that_is_refused_is_not_saved(self) -> None:
        machine = Machine()
        machine.start()
        before = saves(machine)
        machine.refocus()

        assert saves(machine) == before


class TestWhenTheDiskRefuses:
    def test_the_command_holds_and_says_so(self) -> None:
        machine = machine_on("full")
        machine.plan("the report")

        assert machine.state.phase.name == "planning"
        assert is_settled(machine)
        assert not machine.state.saving.durable
        assert any("No space left" in notice.text for notice in machine.state.notices)

    def test_a_change_of_durable_is_a_new_revision(self) -> None:
        machine = machine_on("slow")
        machine.plan()
        commanded = machine.state.revision
        machine.feed(SnapshotFailed(commanded, "full"))
        assert machine.state.revision == commanded + 1
        machine.feed(SnapshotSaved(commanded + 1))

        assert machine.state.revision == commanded + 2
        assert machine.state.saving.durable

    def test_it_is_tried_again_by_itself_with_a_growing_wait(self) -> None:
        machine = machine_on("full")
        machine.plan()
        tried_at = []
        for _ in range(2_000):
            before = saves(machine)
            machine.wait(0.1)
            if saves(machine) > before:
                tried_at.append(machine.time.mono)

        gaps = [round(b - a) for a, b in pairwise([1_000.0, *tried_at])]
        assert gaps == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30]

    def test_it_is_tried_without_end(self) -> None:
        """Doubling has to stop before the number is too large for a float."""
        machine = machine_on("full")
        machine.plan()
        machine.wait(40_000)
        before = saves(machine)
        machine.wait(30)

        assert machine.state.saving.attempts > 1_100
        assert saves(machine) == before + 1

    def test_the_notice_goes_once_it_is_saved(self) -> None:
        machine = machine_on("full")
        machine.plan()
        machine.disk = "good"
        machine.wait(1)

        assert machine.state.notices == ()
        assert machine.state.saving.durable

    def test_the_wait_begins_small_again_the_next_time(self) -> None:
        machine = machine_on("full")
        machine.plan()
        machine.wait(100)
        machine.disk = "good"
        machine.wait(30)
        machine.disk = "full"
        machine.plan("again")
        before = saves(machine)
        machine.wait(1)

        assert saves(machine) == before + 1

    def test_another_command_is_saved_at_once(self) -> None:
        machine = machine_on("full")
        machine.plan()
        machine.wait(100)
        machine.disk = "good"
        machine.plan("again")

        assert machine.state.saving.durable

    def test_observations_leave_an_earlier_command_durable(self) -> None:
        machine = Machine()
        machine.start()
        machine.disk = "full"
        machine.focus("code")
        machine.wait(CHECKPOINT_SECS)

        assert machine.state.saving.durable
        assert machine.state.notices != ()


class TestCheckpoints:
    def test_are_written_each_50_s_of_a_running_session(self) -> None:
        machine = Machine()
        machine.start()
        before = saves(machine)
        machine.wait(500)

        assert saves(machine) == before + 10

    def test_are_no_news(self) -> None:
        machine = Machine()
        machine.start()
        revision = machine.state.revision
        machine.wait(500)

        assert machine.state.revision == revision

    def test_follow_a_command_by_50_s(self) -> None:
        machine = Machine()
        machine.start()
        machine.wait(40)
        machine.extend(60)
        before = saves(machine)
        machine.wait(49)
        assert saves(machine) == before
        machine.wait(1)

        assert saves(machine) == before + 1

    def test_begin_right_after_a_restart(self) -> None:
        machine = Machine()
        machine.start()
        machine.restart()
        before = saves(machine)
        machine.wait(0)

        assert saves(machine) == before + 1

    @pytest.mark.parametrize("phase", ["idle", "planning", "review", "stale"])
    def test_are_not_written_while_no_session_runs(self, phase: str) -> None:
        machine = Machine()
        if phase == "stale":
            machine.start()
            machine.suspend(5 * 3600)
        if phase == "planning":
            machine.plan()
        if phase == "review":
            machine.start()
            machine.complete()
        before = saves(machine)
        machine.wait(1_000)
        machine.focus("code")

        assert saves(machine) == before

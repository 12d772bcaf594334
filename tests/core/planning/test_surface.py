"""Which changes a client sees in planning: each is a new revision."""

from collections.abc import Callable

import pytest

from antidriftd.core.effects import AskCoach, FetchTaskList, LoadProfile
from antidriftd.core.events import CoachFailed, ProfileFailed, TasksFailed
from antidriftd.core.surface import surface
from tests.core.planning.planner import Planner, planning


def fail_to_coach(machine: Planner) -> None:
    machine.feed(CoachFailed(machine.under_way.only(AskCoach).request, "no"))


def fail_to_load(machine: Planner) -> None:
    machine.feed(ProfileFailed(machine.under_way.only(LoadProfile).request, "/p"))


def fail_to_fetch(machine: Planner) -> None:
    machine.feed(TasksFailed(machine.under_way.only(FetchTaskList).request, "no"))


CHANGES: dict[str, Callable[[Planner], None]] = {
    "a proposal": Planner.propose,
    "no proposal": fail_to_coach,
    "another intent": lambda machine: machine.plan("the budget"),
    "a profile": lambda machine: machine.load("who I am"),
    "no profile": lambda machine: machine.load(""),
    "an unreadable profile": fail_to_load,
    "another path": lambda machine: machine.select("/other.md"),
    "tasks": lambda machine: machine.list_tasks("read"),
    "no tasks": Planner.list_tasks,
    "a failed fetch": fail_to_fetch,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_that_shows_is_a_new_revision(change: str) -> None:
    machine = planning()
    machine.coach()
    before = machine.state
    CHANGES[change](machine)

    assert surface(machine.state) != surface(before)
    assert machine.state.revision == before.revision + 1


def test_tasks_that_were_asked_for_are_news_in_idle_too() -> None:
    machine = Planner()
    machine.fetch()
    revision = machine.state.revision
    machine.list_tasks("read")

    assert machine.state.revision == revision + 1

"""A restart in planning: the proposal is kept, and all that helps is fetched again."""

import pytest

from antidriftd.adapters.store import codec
from antidriftd.core.effects import AskCoach, AskJudge, AskNudger, FetchTaskList, LoadProfile
from antidriftd.core.events import CoachFailed
from antidriftd.core.planning_state import Coaching
from antidriftd.core.requests import begin_all
from antidriftd.core.state import Planning
from tests.builders import RULES
from tests.core.planning.planner import OUTLINE, Planner, planning, with_a_proposal


def reread(machine: Planner) -> Planner:
    """Restart on what comes back from the file."""
    machine.restart(codec.decode(codec.encode(machine.saved())))
    return machine


def begun(machine: Planner) -> list[type]:
    return [type(request) for request in begin_all(machine.state, machine.time.now())]


def test_the_ready_proposal_is_kept() -> None:
    machine = reread(with_a_proposal())
    assert machine.state.phase == Planning("the report", Coaching("ready", proposal=OUTLINE))
    machine.start(next_action=None)

    assert machine.session.commitment.next_action == "write the outline"


@pytest.mark.parametrize("through", ["the file", "memory"])
def test_a_question_under_way_and_an_error_are_not_kept(through: str) -> None:
    for answers in (False, True):
        machine = planning()
        asked = machine.coach()
        if answers:
            machine.feed(CoachFailed(asked.request, "no"))
        if through == "the file":
            reread(machine)
        else:
            machine.restart()

        assert machine.state.phase == Planning("the report")
        assert machine.under_way.all_of(AskCoach) == []


def test_profile_and_tasks_are_fetched_again() -> None:
    machine = with_a_proposal()
    machine.load("who I am")
    machine.list_tasks("a")
    reread(machine)
    assert (machine.state.grounding.status, machine.state.grounding.text) == ("pending", "")
    assert (machine.state.tasks.status, machine.state.tasks.items) == ("pending", ())
    assert sorted(kind.__name__ for kind in begun(machine)) == ["FetchTaskList", "LoadProfile"]
    machine.load("who I am")
    machine.list_tasks("a")

    machine.coach()
    assert machine.groundings[-1] == "who I am"


def test_nothing_is_fetched_where_there_is_no_source() -> None:
    assert begun(reread(planning(rules=RULES))) == []


@pytest.mark.parametrize("phase", ["idle", "active", "review"])
def test_outside_planning_nothing_is_fetched(phase: str) -> None:
    machine = Planner()
    if phase == "idle":
        machine.fetch()
    else:
        machine.start()
        machine.focus("steam")
        machine.wait(2)
    if phase == "review":
        machine.complete()
    reread(machine)

    assert begun(machine) == []
    for kind in (AskJudge, AskNudger, FetchTaskList, LoadProfile):
        assert machine.under_way.all_of(kind) == []

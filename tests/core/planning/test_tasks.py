"""The tasks: when they are fetched, which list counts, where it shows, and `plan` with one."""

import pytest

from antidriftd.core.effects import FetchTaskList
from antidriftd.core.events import (
    CancelPlanning,
    EnterPlanning,
    Event,
    FetchTasks,
    StartSession,
    TasksFailed,
    TasksFetched,
)
from antidriftd.core.model import Task
from antidriftd.core.planning_state import Grounding, TaskList
from antidriftd.core.state import Planning
from tests.builders import RULES
from tests.core.planning.planner import Planner, planning

UUID = "8a0c1f60-6f1e-4f4f-9b0a-2c5d1b6f7e11"
TASKS = (
    Task(UUID, "write the letter", "taskwarrior"),
    Task("17", "call the bank", "marvin"),
    Task("habc", "water the flowers", "todo"),
)


def listing(*tasks: Task) -> Planner:
    machine = planning(None)
    request = machine.under_way.only(FetchTaskList).request
    machine.feed(TasksFetched(request, tasks or TASKS))
    return machine


class TestFetching:
    def test_begins_on_entering_planning(self) -> None:
        machine = planning()

        assert machine.state.tasks.status == "pending"
        assert machine.under_way.only(FetchTaskList).request == machine.state.tasks.request

    def test_gets_the_list_in_its_order(self) -> None:
        machine = planning()
        machine.list_tasks("b", "a")

        assert machine.state.tasks.status == "ready"
        assert machine.titles == ["b", "a"]

    def test_gets_an_empty_list(self) -> None:
        machine = planning()
        machine.list_tasks()

        assert machine.state.tasks == TaskList("empty")

    def test_that_fails_says_why(self) -> None:
        machine = listing()
        machine.feed(TasksFailed(machine.fetch().request, "task exited with code 2"))

        assert machine.state.tasks == TaskList("error", error="task exited with code 2", asked=True)

    def test_afresh_shows_the_old_list_until_the_new_one_is_there(self) -> None:
        machine = listing()
        machine.fetch()
        assert machine.state.tasks.status == "pending"
        assert machine.titles == [task.title for task in TASKS]
        machine.list_tasks("sleep")

        assert machine.titles == ["sleep"]

    def test_afresh_replaces_the_one_under_way(self) -> None:
        machine = planning()
        first = machine.under_way.only(FetchTaskList).request
        second = machine.fetch().request
        assert machine.ended == [first]
        machine.feed(TasksFetched(first, TASKS))
        assert machine.titles == []
        machine.feed(TasksFetched(second, TASKS[:1]))

        assert machine.titles == [TASKS[0].title]

    def test_without_a_list_is_unavailable(self) -> None:
        for machine in (Planner(RULES), planning(rules=RULES)):
            assert machine.refused(FetchTasks()) == "unavailable"
            assert machine.state.tasks == TaskList()

    @pytest.mark.parametrize("phase", ["active", "review"])
    def test_is_out_of_place_in_a_session(self, phase: str) -> None:
        machine = Planner()
        machine.start()
        if phase == "review":
            machine.complete()

        assert machine.refused(FetchTasks()) == "wrong_state"


class TestInIdle:
    def test_they_can_be_asked_for(self) -> None:
        machine = Planner()
        machine.fetch()
        assert machine.state.tasks.asked
        machine.list_tasks("a")

        assert (machine.state.tasks.status, machine.state.tasks.asked) == ("ready", True)
        assert machine.state.grounding == Grounding()

    def test_they_stay_after_planning_once_they_were_asked_for(self) -> None:
        machine = planning()
        machine.fetch()
        machine.list_tasks("a")
        machine.feed(CancelPlanning())

        assert machine.titles == ["a"]

    def test_a_fetch_that_was_asked_for_goes_on_after_planning(self) -> None:
        machine = planning()
        machine.fetch()
        machine.feed(CancelPlanning())
        machine.list_tasks("a")

        assert machine.titles == ["a"]

    def test_they_go_with_planning_when_nobody_asked(self) -> None:
        machine = planning()
        fetched = machine.under_way.only(FetchTaskList).request
        machine.feed(CancelPlanning())

        assert fetched in machine.ended
        assert machine.state.tasks == TaskList()

    def test_entering_planning_fetches_them_again(self) -> None:
        machine = Planner()
        machine.fetch()
        machine.list_tasks("a")
        machine.plan()

        assert machine.state.tasks.status == "pending"


class TestALateAnswer:
    @pytest.mark.parametrize(
        "leave", [CancelPlanning(), StartSession(session_id="s", next_action="read")]
    )
    @pytest.mark.parametrize("answer", ["fetched", "failed"])
    def test_after_planning_is_dropped(
        self, leave: CancelPlanning | StartSession, answer: str
    ) -> None:
        machine = planning()
        request = machine.under_way.only(FetchTaskList).request
        machine.feed(leave)
        before = machine.state
        event: Event = TasksFailed(request, "late")
        machine.feed(TasksFetched(request, TASKS) if answer == "fetched" else event)

        assert machine.state == before

    def test_of_an_earlier_planning_is_dropped_in_the_next(self) -> None:
        machine = planning()
        request = machine.under_way.only(FetchTaskList).request
        machine.feed(CancelPlanning())
        machine.plan()
        machine.feed(TasksFetched(request, TASKS))

        assert machine.state.tasks.status == "pending"

    def test_that_comes_twice_counts_once(self) -> None:
        machine = planning()
        request = machine.under_way.only(FetchTaskList).request
        machine.feed(TasksFetched(request, ()))
        machine.feed(TasksFetched(request, TASKS))
        machine.feed(TasksFailed(0, "nobody's"))

        assert machine.state.tasks == TaskList("empty")

    def test_of_a_list_is_dropped_in_a_session(self) -> None:
        machine = listing()
        machine.start()

        assert machine.state.tasks == TaskList()


class TestPlanWithATask:
    @pytest.mark.parametrize(
        ("task_id", "intent"),
        [
            ("1", "write the letter"),
            (" 2 ", "call the bank"),
            ("3", "water the flowers"),
            (UUID, "write the letter"),
            (f"taskwarrior:{UUID}", "write the letter"),
            ("17", "call the bank"),
            ("marvin:17", "call the bank"),
            ("habc", "water the flowers"),
        ],
    )
    def test_takes_its_title_as_the_intent(self, task_id: str, intent: str) -> None:
        machine = listing()
        machine.feed(EnterPlanning(task_id=task_id))

        assert machine.state.phase == Planning(intent)

    def test_takes_a_bare_number_as_the_lists(self) -> None:
        machine = listing(Task("2", "first", "a"), Task("1", "second", "a"))
        machine.feed(EnterPlanning(task_id="2"))
        assert machine.planning.intent == "second"
        machine.feed(EnterPlanning(task_id="a:2"))

        assert machine.planning.intent == "first"

    @pytest.mark.parametrize(
        "task_id",
        [
            *(
                "0",
                "4",
                "-1",
                "01",
                "+1",
                "1.0",
                "",
                " ",
                "²",
                "\u0661",
                "todo:1",
                "todo",
                "9" * 5000,
            ),
            *("0000000003", UUID[:-1], f"marvin:{UUID}", "write the letter", "\0", "a\nb"),
        ],
    )
    def test_refuses_what_is_not_in_the_list(self, task_id: str) -> None:
        assert listing().refused(EnterPlanning(task_id=task_id)) == "invalid_value"

    def test_refuses_one_while_no_list_is_there(self) -> None:
        assert Planner().refused(EnterPlanning(task_id="1")) == "invalid_value"
        assert planning().refused(EnterPlanning(task_id="1")) == "invalid_value"

    def test_refuses_one_beside_an_intent(self) -> None:
        machine = listing()

        assert machine.refused(EnterPlanning("the report", task_id="1")) == "invalid_value"

    def test_works_from_idle_and_from_review(self) -> None:
        machine = Planner()
        machine.fetch()
        machine.list_tasks("call the bank")
        machine.feed(EnterPlanning(task_id="1"))
        assert machine.planning.intent == "call the bank"

        machine.start()
        machine.complete()
        assert machine.refused(EnterPlanning(task_id="1")) == "invalid_value"  # the list has gone

    def test_is_saved_as_any_intent(self) -> None:
        machine = listing()
        machine.feed(EnterPlanning(task_id="2"))

        assert machine.saved().phase == Planning("call the bank")

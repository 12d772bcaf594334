"""The verb `tasks`, and `plan --task`: they wait for a fresh list."""

import json

import pytest
from msgspec.structs import replace

from protocol import views
from protocol.errors import RpcError
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.samples import ACTIVE, IDLE, PLANNING, TASKS

FETCHING = replace(IDLE, revision=2, tasks=views.Tasks(status="pending"))


def listing(*items: views.TaskItem) -> views.State:
    tasks = views.Tasks(status="ready" if items else "empty", items=items)
    return replace(IDLE, revision=3, tasks=tasks)


FAILED = replace(
    IDLE, revision=3, tasks=views.Tasks(status="error", error="task: \x1b[2Jno such thing")
)
COMPLAINT = "antidrift: no tasks: task: \\x1b[2Jno such thing\n"


@pytest.fixture
def fetching(daemon: FakeDaemon) -> FakeDaemon:
    """A daemon that is still fetching when a client begins to watch."""
    daemon.state = FETCHING
    daemon.answers["plan"] = replace(PLANNING, intent="call Ann")
    return daemon


def test_it_waits_for_the_list_and_numbers_it(fetching: FakeDaemon, antidrift: Antidrift) -> None:
    fetching.publish_later(listing(*TASKS))

    assert antidrift("tasks") == (
        0,
        "1. write the report  (taskwarrior:7f)\n2. call Ann  (taskwarrior:b2)\n",
        "",
    )
    assert fetching.methods() == ["tasks", "watch"]


def test_a_list_from_before_is_not_taken_for_the_fresh_one(
    fetching: FakeDaemon, antidrift: Antidrift
) -> None:
    fetching.state = replace(IDLE, tasks=views.Tasks(status="pending", items=TASKS))
    fetching.publish_later(listing(TASKS[1]))

    assert antidrift("tasks") == (0, "1. call Ann  (taskwarrior:b2)\n", "")


def test_a_list_that_is_there_at_once_is_not_waited_for(
    daemon: FakeDaemon, antidrift: Antidrift
) -> None:
    daemon.state = listing(*TASKS)

    assert antidrift("tasks")[0] == 0
    assert daemon.methods() == ["tasks"]


def test_an_empty_list_is_no_failure(fetching: FakeDaemon, antidrift: Antidrift) -> None:
    fetching.publish_later(listing())

    assert antidrift("tasks") == (0, "no tasks for today\n", "")


def test_a_list_that_cannot_be_had_is_a_failure(fetching: FakeDaemon, antidrift: Antidrift) -> None:
    fetching.publish_later(FAILED)
    assert antidrift("tasks") == (1, "", COMPLAINT)
    fetching.state = FAILED
    code, out, err = antidrift("tasks", "--json")

    assert (code, err) == (1, "")
    assert json.loads(out)["error"]["kind"] == "failed"


def test_a_session_that_begins_meanwhile_ends_the_wait(
    fetching: FakeDaemon, antidrift: Antidrift
) -> None:
    fetching.publish_later(ACTIVE)
    code, out, err = antidrift("tasks")

    assert (code, out) == (1, "")
    assert "a session began" in err


def test_a_title_cannot_forge_a_line(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    daemon.state = listing(views.TaskItem(id="1", title="a\n2. b\x1b[2J\u202e", source="todotxt"))
    _, out, _ = antidrift("tasks")

    assert out == "1. a\\x0a2. b\\x1b[2J\\u202e  (todotxt:1)\n"


@pytest.mark.parametrize("task", ["2", "taskwarrior:b2", "b2"])
def test_a_task_is_planned_once_the_list_is_there(
    fetching: FakeDaemon, antidrift: Antidrift, task: str
) -> None:
    fetching.publish_later(listing(*TASKS))

    assert antidrift("plan", "--task", task) == (
        0,
        "planning: call Ann; begin with: antidrift start\n",
        "",
    )
    assert fetching.params("plan") == {"task_id": task}
    assert fetching.methods() == ["tasks", "watch", "plan"]


def test_without_a_list_no_task_is_planned(fetching: FakeDaemon, antidrift: Antidrift) -> None:
    fetching.publish_later(FAILED)

    assert antidrift("plan", "--task", "2") == (1, "", COMPLAINT)
    assert "plan" not in fetching.methods()


def test_a_task_that_is_not_in_the_list_is_refused(
    daemon: FakeDaemon, antidrift: Antidrift
) -> None:
    daemon.state = listing(*TASKS)
    daemon.answers["plan"] = RpcError("invalid_value", "there is no task '9' in the list")

    assert antidrift("plan", "--task", "9") == (
        1,
        "",
        "antidrift: there is no task '9' in the list\n",
    )


def test_an_intent_and_a_task_are_one_too_many(daemon: FakeDaemon, antidrift: Antidrift) -> None:
    code, _, err = antidrift("plan", "write", "--task", "2")

    assert code == 2
    assert "not both" in err
    assert daemon.asked == []

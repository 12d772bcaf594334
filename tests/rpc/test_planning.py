"""Planning over the wire: the coach, the profile, the tasks."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.knowledge.port import KnowledgeError
from antidriftd.adapters.tasks.port import TaskSourceError
from antidriftd.core.model import Profile, Proposal, Task
from antidriftd.core.state import Planning
from tests.builders import RULES, WITH_HELP
from tests.clients import Client, State
from tests.rpc.phases import refused
from tests.rpc.served import Served, open_served

CANARY = "I breed canaries"
PROPOSAL = {
    "next_action": "write the outline",
    "success_condition": "five headings",
    "timebox_secs": 1800,
    "allowed_window_classes": ["code"],
}
ITEMS = [
    {"id": "a1", "title": "call the bank", "source": "todo"},
    {"id": "b2", "title": "water the flowers", "source": "todo"},
]


async def settled(client: Client) -> State:
    """Return the state once nobody thinks any more."""
    await wait_all_tasks_blocked()
    return await client.request("state")


def answering(answer: object) -> Callable[..., Any]:
    """Return what answers with this, or fails with it."""

    def give(*_: object) -> object:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return give


class TestCoach:
    async def test_is_pending_at_once_and_its_proposal_comes_as_a_state(
        self, autojump_clock: MockClock, tmp_path: Path
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            served.coach.think()
            await client.request("watch")
            state = await client.request("coach", intent="the report")
            assert (state["runtime"], state["intent"]) == ("planning", "the report")
            assert (state["coach"], state["durable"]) == ({"status": "pending"}, True)
            served.coach.conclude()
            while state["coach"]["status"] == "pending":
                state = await client.next_state()

            assert state["coach"] == {"status": "ready", "proposal": PROPOSAL}

    async def test_is_taken_by_a_bare_start(
        self, autojump_clock: MockClock, tmp_path: Path
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            await client.request("coach", intent="the report")
            await wait_all_tasks_blocked()
            state = await client.request("start")

        commitment = state["commitment"]
        assert {name: commitment[name] for name in PROPOSAL} == PROPOSAL
        assert "coach" not in state

    async def test_that_fails_says_why_and_planning_goes_on(
        self, autojump_clock: MockClock, tmp_path: Path
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            served.coach.answer = answering(AdvisorError("claude is not signed in"))
            await client.request("coach", intent="the report")
            state = await settled(client)
            assert state["coach"] == {"status": "error", "error": "claude is not signed in"}

            assert (await client.request("start"))["runtime"] == "active"

    async def test_that_proposes_nonsense_is_an_error_and_the_daemon_goes_on(
        self, autojump_clock: MockClock, tmp_path: Path
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            served.coach.answer = answering(Proposal("a\nb", "", 0, ("",)))
            await client.request("coach", intent="the report")
            state = await settled(client)

        assert state["coach"]["status"] == "error"
        assert "proposal" not in state["coach"]

    async def test_again_replaces_the_first(
        self, autojump_clock: MockClock, tmp_path: Path
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            served.coach.think()
            await client.request("coach", intent="the report")
            await client.request("coach")
            await wait_all_tasks_blocked()
            assert served.coach.voided == 1
            served.coach.conclude()

            assert (await settled(client))["coach"]["status"] == "ready"

    async def test_without_an_advisor_is_unavailable(self, tmp_path: Path) -> None:
        async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
            error = await refused(client, "coach", intent="the report")
            state = await client.request("state")

        assert (error.kind, error.code, error.runtime) == ("unavailable", -32004, "idle")
        assert (state["runtime"], served.coach.asked) == ("idle", [])


class TestKnowledge:
    @pytest.mark.parametrize(
        ("answer", "shown"),
        [
            (Profile("é" * 7, "/p.md"), {"status": "ready", "path": "/p.md", "chars": 7}),
            (Profile("", "/p.md"), {"status": "absent", "path": "/p.md"}),
            (KnowledgeError("no", "/p.md"), {"status": "error", "path": "/p.md"}),
            (RuntimeError("a bug"), {"status": "error"}),
        ],
    )
    async def test_shows_what_was_found_and_never_the_text(
        self,
        autojump_clock: MockClock,
        tmp_path: Path,
        answer: Profile | Exception,
        shown: dict[str, Any],
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            served.knowledge.answer = answering(answer)
            served.knowledge.think()
            planned = await client.request("plan")
            assert planned["knowledge"] == {"status": "pending"}
            served.knowledge.conclude()

            assert (await settled(client))["knowledge"] == shown
            assert "knowledge" not in await client.request("cancel")

    async def test_is_not_shown_where_there_is_no_source(self, tmp_path: Path) -> None:
        async with open_served(tmp_path, rules=RULES) as served:
            assert "knowledge" not in await served.request("plan")
            assert "knowledge_path" not in await served.request("info")

    async def test_path_is_read_at_once_in_planning_and_told_by_info(
        self, autojump_clock: MockClock, tmp_path: Path
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            default = (await client.request("info"))["knowledge_path"]
            assert default == served.knowledge.default_path
            await client.request("plan")
            await client.request("knowledge_path", path="~/me.md")
            await wait_all_tasks_blocked()
            assert (await client.request("info"))["knowledge_path"] == "~/me.md"
            await client.request("knowledge_path", path="")
            await wait_all_tasks_blocked()

            assert (await client.request("info"))["knowledge_path"] == default
            assert served.knowledge.loaded == ["", "~/me.md", ""]

    async def test_grounds_the_coach_and_is_nowhere_else(
        self, autojump_clock: MockClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        rules = replace(WITH_HELP, has_nudger=True)
        heard: list[State] = []
        async with open_served(tmp_path, rules=rules) as served, served.connect() as client:
            served.knowledge.answer = answering(Profile(CANARY, "/p.md"))
            for method, params in (
                ("plan", {}),
                ("state", {}),
                ("coach", {"intent": "the report"}),
                ("state", {}),
                ("info", {}),
                ("start", {}),
                ("state", {}),
            ):
                heard.append(await client.request(method, **params))
                await wait_all_tasks_blocked()
            served.sensor.focus("supertux")
            await wait_all_tasks_blocked()
            heard.append(await client.request("why", preview=True))
            heard.append(await client.request("complete"))

            assert served.coach.asked == [("the report", CANARY)]
            assert CANARY not in json.dumps(heard)
            assert CANARY not in repr(served.store.saves)
            assert CANARY not in caplog.text


class TestTasks:
    async def test_are_pending_at_once_and_come_as_a_state(
        self, autojump_clock: MockClock, tmp_path: Path
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            assert "tasks" not in await client.request("state")
            served.tasks.think()
            state = await client.request("tasks")
            assert (state["runtime"], state["tasks"]) == ("idle", {"status": "pending"})
            served.tasks.conclude()

            assert (await settled(client))["tasks"] == {"status": "ready", "items": ITEMS}

    @pytest.mark.parametrize(
        ("answer", "shown"),
        [
            ((), {"status": "empty"}),
            (TaskSourceError("task is gone"), {"status": "error", "error": "task is gone"}),
        ],
    )
    async def test_may_be_none(
        self, autojump_clock: MockClock, tmp_path: Path, answer: object, shown: dict[str, Any]
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            served.tasks.answer = answering(answer)
            await client.request("plan")

            assert (await settled(client))["tasks"] == shown

    async def test_without_a_list_are_unavailable(self, tmp_path: Path) -> None:
        async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
            error = await refused(client, "tasks")
            assert (error.kind, error.code) == ("unavailable", -32004)

            assert "tasks" not in await client.request("plan")

    @pytest.mark.parametrize(
        ("task_id", "intent"),
        [("2", "water the flowers"), ("a1", "call the bank"), ("todo:b2", "water the flowers")],
    )
    async def test_one_becomes_the_intent(
        self, autojump_clock: MockClock, tmp_path: Path, task_id: str, intent: str
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            await client.request("tasks")
            await wait_all_tasks_blocked()

            assert (await client.request("plan", task_id=task_id))["intent"] == intent
            assert saved_intent(served) == intent

    async def test_are_shown_in_planning_and_idle_only(
        self, autojump_clock: MockClock, tmp_path: Path
    ) -> None:
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            await client.request("tasks")
            assert "tasks" in await client.request("plan", intent="read")
            assert "tasks" in await client.request("cancel")
            await client.request("plan", intent="read")
            assert "tasks" not in await client.request("start")
            assert "tasks" not in await client.request("complete")
            assert "tasks" not in await client.request("review")

    async def test_as_many_as_there_may_be_fit_into_a_reply(
        self, autojump_clock: MockClock, tmp_path: Path
    ) -> None:
        many = tuple(
            Task(f"{'i' * 190}{number}", "\u2028" * 512, "command") for number in range(200)
        )
        async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
            served.tasks.answer = answering(many)
            await client.request("tasks")

            assert len((await settled(client))["tasks"]["items"]) == 200


def saved_intent(served: Served) -> str:
    phase = served.store.saves[-1].phase
    assert isinstance(phase, Planning)
    return phase.intent

"""What others than clients are told: notifications, hooks and prompts, by a daemon on fakes."""

import os
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.core.model import NotificationChoice, Verdict, Window
from protocol import prompt
from protocol.hook_event import HookEvent
from tests.builders import RULES
from tests.clients import State
from tests.rpc.served import Served, open_served

TELLING = replace(RULES, notifies=True, hooks=frozenset({"on_start", "on_drift", "on_complete"}))
GAME = Window("steam", "a game $(touch x) \x1b[2J")


async def drift(served: Served) -> State:
    """Start a session, drift, and return what a client sees of it."""
    served.judge.answer = lambda: Verdict(on_task=False, reason="no game helps")
    await served.request("start", next_action="read", allowed_window_classes=["code"])
    served.sensor.focus(GAME.window_class, GAME.title)
    await trio.sleep(30)
    return await served.request("state")


@pytest.mark.parametrize(
    ("choice", "runtime", "allowed"),
    [("refocus", "active", []), ("ontask", "active", ["steam"]), ("complete", "review", [])],
)
async def test_what_is_chosen_in_a_notification_does_what_the_verb_does(
    tmp_path: Path,
    autojump_clock: MockClock,
    choice: NotificationChoice,
    runtime: str,
    allowed: list[str],
) -> None:
    async with open_served(tmp_path, rules=TELLING) as served:
        assert (await drift(served))["drift"]["status"] == "drifting"
        served.notifier.choose(choice)
        await wait_all_tasks_blocked()
        state = await served.request("state")

        assert (state["runtime"], state["durable"]) == (runtime, True)
        assert state["commitment"]["allowed_window_classes"] == ["code", *allowed]
        assert "open" not in state.get("drift", {})
        assert served.notifier.shown[-1] is None


async def test_more_time_can_be_chosen_when_the_time_is_up(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with open_served(tmp_path, rules=TELLING) as served:
        before = await served.request("start", next_action="read", timebox_secs=60)
        await trio.sleep(70)
        served.notifier.choose("extend")
        await wait_all_tasks_blocked()
        after = await served.request("state")

    assert after["commitment"]["ends_at"] > before["commitment"]["ends_at"]


async def test_to_go_on_can_be_chosen_in_a_long_pause(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with open_served(tmp_path, rules=TELLING) as served:
        await served.request("start", next_action="read", timebox_secs=60)
        await served.request("pause")
        await trio.sleep(16 * 60)
        served.notifier.choose("resume")
        await wait_all_tasks_blocked()
        state = await served.request("state")

        assert "away" not in state
        assert served.notifier.shown[-1] is None


async def test_a_choice_in_one_that_is_past_does_nothing(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with open_served(tmp_path, rules=TELLING) as served:
        await drift(served)
        served.notifier.choose("complete", 17)
        await wait_all_tasks_blocked()

        assert (await served.request("state"))["runtime"] == "active"


async def test_a_hook_is_told_what_happened_and_how_things_stood(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with open_served(tmp_path, rules=TELLING) as served:
        await drift(served)
        await served.request("complete")
        await wait_all_tasks_blocked()
    told = [(hook, msgspec.json.decode(line, type=HookEvent)) for hook, line in served.hooks.ran]
    _, (_, drifted), (_, completed) = told

    assert [hook for hook, _ in told] == ["on_start", "on_drift", "on_complete"]
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for _, line in served.hooks.ran)
    assert drifted.event == "drift"
    assert drifted.drift
    assert drifted.drift.open_drift
    assert drifted.drift.open_drift.subject.title == GAME.title
    assert drifted.drift.open_drift.reason == "no game helps"
    assert (completed.event, completed.runtime) == ("complete", "review")
    assert completed.evidence
    assert completed.evidence.drift_episodes == 1


async def test_the_prompt_follows_a_session(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with open_served(tmp_path, rules=TELLING) as served:
        await served.request("plan", intent="read")
        state = await drift(served)
        served.sensor.focus("code", "x.py")
        await trio.sleep(30)
        await served.request("refocus")
        await served.request("complete")
        await served.request("review")
        await wait_all_tasks_blocked()
        lines = list(served.prompt_file.lines)
    seen = [prompt.decode(line) for line in lines if line]

    assert [(s.runtime, s.drift, s.open_drift) for s in seen if s] == [
        ("idle", "idle", "none"),
        ("planning", "idle", "none"),
        ("active", "idle", "none"),
        ("active", "pending", "none"),
        ("active", "drifting", "open"),
        ("active", "ontask", "past"),
        ("active", "ontask", "none"),
        ("review", "idle", "none"),
        ("idle", "idle", "none"),
    ]
    assert {s.pid for s in seen if s} == {os.getpid()}
    ends = {s.ends for s in seen if s and s.runtime == "active"}
    assert len(ends) == 1
    assert state["commitment"]["ends_at"].startswith("2027")
    assert all(b"game" not in line and b"read" not in line for line in lines if line)


async def test_a_session_left_behind_shows_in_the_prompt(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with open_served(tmp_path, rules=TELLING) as served:
        await served.request("start", next_action="read", timebox_secs=60)
        await trio.sleep(3 * 3600)
        last = served.prompt_file.lines[-1]

    assert last
    status = prompt.decode(last)
    assert status
    assert status.stale


async def test_a_pause_shows_in_the_prompt_until_the_session_goes_on(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with open_served(tmp_path, rules=TELLING) as served:
        await served.request("start", next_action="read")
        for method in ("pause", "resume"):
            await served.request(method)
            await wait_all_tasks_blocked()
        seen = [prompt.decode(line) for line in served.prompt_file.lines if line]

    assert [each.drift for each in seen[-3:] if each] == ["idle", "paused", "idle"]

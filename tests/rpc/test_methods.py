"""Every method in every runtime state, and every kind of error, over the wire."""

import os
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.core.model import SensorHealth, Verdict
from antidriftd.core.recording_state import SessionReviewed
from protocol.errors import CODES
from protocol.methods import METHODS
from protocol.version import PROTOCOL_VERSION, VERSION
from tests.builders import RULES, WITH_HELP
from tests.fakes.store import FakeSnapshotStore
from tests.rpc.phases import PATHS, go_to, refused, without_time
from tests.rpc.served import Served, open_served

PARAMS: dict[str, dict[str, Any]] = {
    "coach": {"intent": "write"},
    "knowledge_path": {"path": "/profile.md"},
    "extend": {"secs": 60},
    "display": {"display": ":0"},
    "disallow": {"window_class": "code"},
    "ontask": {"window_class": "gimp"},
    "unlearn": {"everything": True},
    "capture": {"text": "the mail was closed"},
    "knowledge_forget": {"session": "s1"},
    "harvest_reject": {"run": "r-1", "reason": "no"},
    "harvest_rebind": {"target": "r-1", "to": "me/profile"},
    **{f"harvest_{verb}": {"run": "r-1"} for verb in ("run", "accept", "retry", "rejudge")},
}
"""What a method needs; the others need nothing."""

LEADS_TO = {
    "idle": {"plan": "planning", "coach": "planning", "tasks": "idle", "start": "wrong_state"},
    "planning": {
        "plan": "planning",
        "coach": "planning",
        "tasks": "planning",
        "cancel": "idle",
        "start": "active",
    },
    "active": {
        "why": "active",
        "ontask": "active",
        "disallow": "active",
        "refocus": "active",
        "extend": "active",
        "pause": "active",
        # There is no window to speak of, and no pause to end.
        "offtask": "invalid_value",
        "resume": "invalid_value",
        "complete": "review",
        "plan": "wrong_state",
        "start": "wrong_state",
    },
    "review": {
        "plan": "planning",
        "coach": "planning",
        "review": "idle",
        "start": "wrong_state",
    },
}
ALWAYS = {
    "state",
    "info",
    "watch",
    "display",
    "knowledge_path",
    "config",
    "doctor",
    "learned",
    "unlearn",
}
NEED_A_SESSION = {
    "ontask",
    "offtask",
    "disallow",
    "refocus",
    "extend",
    "pause",
    "resume",
    "complete",
    "why",
}
LEARNING = {"capture", *(name for name in METHODS if name.startswith(("harvest_", "knowledge_")))}
LEARNING -= {"knowledge_path"}
"""What needs somebody who learns; here nobody does."""

NO_STATE = {"info", "why", "config", "doctor", "learned", "unlearn"}
"""What returns something else."""


@pytest.mark.parametrize("runtime", PATHS)
@pytest.mark.parametrize("method", METHODS)
async def test_each_method_in_each_runtime_state(
    autojump_clock: MockClock, tmp_path: Path, runtime: str, method: str
) -> None:
    default = "not_active" if method in NEED_A_SESSION else "wrong_state"
    default = "unavailable" if method in LEARNING else default
    expected = runtime if method in ALWAYS else LEADS_TO[runtime].get(method, default)
    async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
        served.think()
        before = await go_to(client, runtime)
        if expected in PATHS:
            result = await client.request(method, **PARAMS.get(method, {}))
            after = await client.request("state")

            assert after["runtime"] == expected
            assert after["revision"] >= before["revision"]
            if method not in NO_STATE:
                assert without_time(result) == without_time(after)
        else:
            error = await refused(client, method, **PARAMS.get(method, {}))

            assert (error.kind, error.runtime) == (expected, runtime)
            assert error.code == CODES[error.kind]  # type: ignore[index]  # any other is a failure
            assert str(error).count("\n") == 0 < len(str(error))
            assert without_time(await client.request("state")) == without_time(before)


@pytest.mark.parametrize("runtime", ["idle", "planning", "review"])
async def test_start_with_a_next_action_starts_from_everywhere(
    autojump_clock: MockClock, tmp_path: Path, runtime: str
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await go_to(client, runtime)

        assert (await client.request("start", next_action="write"))["runtime"] == "active"


async def test_info_tells_what_this_daemon_is(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        info = await served.request("info")

    assert info == {
        "version": VERSION,
        "protocol": PROTOCOL_VERSION,
        "pid": os.getpid(),
        "socket": str(served.socket),
        "state_dir": str(tmp_path),
        "sensor": "fake",
        "ai": "fake",
        "started_at": info["started_at"],
    }


async def test_start_takes_what_it_is_given(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        state = await served.request(
            "start",
            next_action="  write  ",
            success_condition="",
            timebox_secs=86_400,
            allowed_window_classes=["Code", "code"],
            allowed_window_titles=["draft"],
        )

    commitment = state["commitment"]
    assert (commitment["next_action"], commitment["success_condition"]) == ("write", "")
    assert (commitment["timebox_secs"], state["durable"]) == (86_400, True)
    assert commitment["allowed_window_classes"] == ["Code"]
    assert commitment["allowed_window_titles"] == ["draft"]


async def test_start_takes_its_defaults_from_the_plan(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.request("plan", intent="read the report")
        state = await client.request("start")

    assert state["commitment"]["next_action"] == "read the report"
    assert state["commitment"]["timebox_secs"] == 1500
    assert state["intent"] == "read the report"


async def test_a_drift_is_shown_and_answered(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        await client.request("start", next_action="write", allowed_window_classes=["code"])
        await client.request("watch")
        served.sensor.focus("supertux", "SuperTux")
        state = await client.next_state()
        while state["drift"]["status"] != "drifting":
            state = await client.next_state()
        subject = {"class": "supertux", "title": "SuperTux"}
        assert state["drift"]["reason"] == "off task"
        assert state["drift"]["subject"] == state["drift"]["open"]["subject"] == subject

        answered = await client.request("ontask")
        assert "open" not in answered["drift"]
        assert answered["drift"]["status"] == "ontask"
        assert answered["commitment"]["allowed_window_classes"] == ["code", "supertux"]

        taken_back = await client.request("disallow")
        assert taken_back["commitment"]["allowed_window_classes"] == ["code"]


async def test_refocus_clears_the_drift(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path, rules=RULES) as served, served.connect() as client:
        served.judge.answer = lambda: Verdict(on_task=False, reason="a game")
        await client.request("start", next_action="write")
        await client.request("watch")
        served.sensor.focus("supertux", "SuperTux")
        while (await client.next_state())["drift"]["status"] != "drifting":
            pass
        state = await client.request("refocus")

    assert state["drift"]["status"] == "idle"
    assert "open" not in state["drift"]


async def test_a_display_is_remembered_when_the_sensor_looks_for_one(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        served.sensor.report(SensorHealth("auto", ok=False, detail="none", takes_display=True))
        for display in ("remote:0", ":x", ":4"):
            assert (await served.request("display", display=display))["sensor"]["name"] == "auto"
        await wait_all_tasks_blocked()

        assert [display.name for display in served.sensor.displays] == [":4"]
        assert last_display(served.store) == ":4"


def last_display(store: FakeSnapshotStore) -> str:
    display = store.saves[-1].display
    assert display is not None
    return display.name


async def test_a_session_is_finished_with_a_review(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        await served.request("start", next_action="write")
        await served.request("complete")
        state = await served.request("review", outcome="partial", note="the second half is left")
        await wait_all_tasks_blocked()

    assert (state["runtime"], state["durable"]) == ("idle", True)
    closed = closed_review(served)
    assert closed == ("partial", "the second half is left")


def closed_review(served: Served) -> tuple[str | None, str]:
    (review,) = served.history.all_of(SessionReviewed)
    return review.outcome, review.note

"""Every method in every runtime state, and every kind of error, over the wire."""

import os
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from protocol.errors import CODES
from protocol.methods import METHODS
from protocol.version import PROTOCOL_VERSION, VERSION
from tests.builders import WITH_HELP
from tests.daemons import Client, Refused, State
from tests.rpc.served import open_served

PARAMS: dict[str, dict[str, Any]] = {
    "coach": {"intent": "write"},
    "knowledge_path": {"path": "/profile.md"},
    "extend": {"secs": 60},
    "display": {"display": ":0"},
    "disallow": {"window_class": "code"},
    "ontask": {"window_class": "gimp"},
}
"""What a method needs; the others need nothing."""

PATHS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "idle": [],
    "planning": [("plan", {"intent": "read"})],
    "active": [("start", {"next_action": "read", "allowed_window_classes": ["code"]})],
    "review": [
        ("start", {"next_action": "read", "allowed_window_classes": ["code"]}),
        ("complete", {}),
    ],
}
"""How to get to each runtime state."""

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
ALWAYS = {"state", "info", "watch", "display", "knowledge_path"}
NEED_A_SESSION = {"ontask", "disallow", "refocus", "extend", "complete", "why"}
NO_STATE = {"info", "why"}
"""What returns something else."""


async def go_to(client: Client, runtime: str) -> State:
    for method, params in PATHS[runtime]:
        await client.request(method, **params)
    state = await client.request("state")
    assert state["runtime"] == runtime
    return state


async def refused(client: Client, method: str, /, **params: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        await client.request(method, **params)
    return caught.value


def without_time(state: State) -> State:
    return {name: value for name, value in state.items() if name != "evidence"}


@pytest.mark.parametrize("runtime", PATHS)
@pytest.mark.parametrize("method", METHODS)
async def test_each_method_in_each_runtime_state(
    autojump_clock: MockClock, tmp_path: Path, runtime: str, method: str
) -> None:
    default = "not_active" if method in NEED_A_SESSION else "wrong_state"
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


INVALID: list[tuple[str, str, dict[str, Any]]] = [
    ("planning", "plan", {"intent": ""}),
    ("planning", "plan", {"intent": "x" * 513}),
    ("planning", "plan", {"intent": "a\nb"}),
    ("planning", "plan", {"task_id": "1"}),
    ("planning", "plan", {"task_id": ""}),
    ("planning", "plan", {"intent": "read", "task_id": "1"}),
    ("idle", "plan", {"task_id": "1"}),
    ("idle", "coach", {"intent": " "}),
    ("review", "coach", {"intent": "a\nb"}),
    ("planning", "coach", {"intent": "x" * 513}),
    ("idle", "knowledge_path", {"path": "profile.md"}),
    ("active", "knowledge_path", {"path": "/a\0b"}),
    ("active", "why", {"preview": True}),
    ("planning", "start", {"next_action": " "}),
    ("planning", "start", {"timebox_secs": 0}),
    ("planning", "start", {"timebox_secs": 86_401}),
    ("planning", "start", {"timebox_secs": -(2**40)}),
    ("planning", "start", {"allowed_window_titles": [""]}),
    ("planning", "start", {"allowed_window_classes": ["code", " "]}),
    ("planning", "start", {"success_condition": "\x1b[2J"}),
    ("active", "extend", {"secs": 0}),
    ("active", "extend", {"secs": 86_401}),
    ("active", "extend", {"secs": 2**70}),
    ("active", "ontask", {}),
    ("active", "ontask", {"window_title": ""}),
    ("active", "disallow", {"window_class": "never allowed"}),
    ("review", "review", {"note": "x" * 4097}),
    ("review", "review", {"note": "é" * 2049}),
]


@pytest.mark.parametrize(("runtime", "method", "params"), INVALID)
async def test_a_value_that_cannot_be_is_refused_and_changes_nothing(
    autojump_clock: MockClock, tmp_path: Path, runtime: str, method: str, params: dict[str, Any]
) -> None:
    async with open_served(tmp_path, rules=WITH_HELP) as served, served.connect() as client:
        served.think()
        before = await go_to(client, runtime)
        error = await refused(client, method, **params)

        assert (error.kind, error.code, error.runtime) == ("invalid_value", -32003, runtime)
        assert without_time(await client.request("state")) == without_time(before)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("state", {"surprise": 1}),
        ("plan", {"intent": 1}),
        ("plan", {"task_id": 2}),
        ("coach", {"intent": ["read"]}),
        ("tasks", {"source": "todo"}),
        ("knowledge_path", {}),
        ("knowledge_path", {"path": None}),
        ("why", {"preview": "yes"}),
        ("start", {"timebox_secs": "25"}),
        ("start", {"timebox_secs": 1.5}),
        ("start", {"allowed_window_classes": "code"}),
        ("extend", {}),
        ("review", {"outcome": "abandoned"}),
        ("watch", {"since": 1}),
    ],
)
async def test_params_of_a_wrong_shape_are_refused_whatever_the_state(
    tmp_path: Path, method: str, params: dict[str, Any]
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        error = await refused(client, method, **params)

    assert (error.kind, error.code, error.runtime) == ("invalid_params", -32602, "idle")

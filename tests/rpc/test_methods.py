"""Every method in every runtime state, and every kind of error, over the wire."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.core.model import SensorHealth, Verdict
from protocol.errors import CODES
from protocol.methods import METHODS
from protocol.version import PROTOCOL_VERSION, VERSION
from tests.builders import RULES
from tests.daemons import Client, Refused, State
from tests.fakes.store import FakeSnapshotStore
from tests.rpc.served import Served, open_served

PARAMS: dict[str, dict[str, Any]] = {
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
    "idle": {"plan": "planning", "start": "wrong_state"},
    "planning": {"plan": "planning", "cancel": "idle", "start": "active"},
    "active": {
        "ontask": "active",
        "disallow": "active",
        "refocus": "active",
        "extend": "active",
        "complete": "review",
        "plan": "wrong_state",
        "start": "wrong_state",
    },
    "review": {"plan": "planning", "review": "idle", "start": "wrong_state"},
}
ALWAYS = {"state", "info", "watch", "display"}
NEED_A_SESSION = {"ontask", "disallow", "refocus", "extend", "complete"}


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
    async with open_served(tmp_path) as served, served.connect() as client:
        before = await go_to(client, runtime)
        if expected in PATHS:
            result = await client.request(method, **PARAMS.get(method, {}))
            after = await client.request("state")

            assert after["runtime"] == expected
            assert after["revision"] >= before["revision"]
            if method != "info":
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
    async with open_served(tmp_path) as served, served.connect() as client:
        before = await go_to(client, runtime)
        error = await refused(client, method, **params)

        assert (error.kind, error.code, error.runtime) == ("invalid_value", -32003, runtime)
        assert without_time(await client.request("state")) == without_time(before)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("state", {"surprise": 1}),
        ("plan", {"intent": 1}),
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


async def test_an_unknown_method_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        error = await refused(client, "undo")

    assert (error.kind, error.code, error.runtime) == ("method_not_found", -32601, "idle")
    assert all(method in str(error) for method in METHODS)


@pytest.mark.parametrize(
    ("line", "code", "kind"),
    [
        (b"{", -32700, "parse_error"),
        (b"\xff", -32700, "parse_error"),
        (b"[]", -32600, "invalid_request"),
        (b"1", -32600, "invalid_request"),
        (b'{"jsonrpc":"1.0","id":1,"method":"state"}', -32600, "invalid_request"),
        (b'{"jsonrpc":"2.0","id":[1],"method":"state"}', -32600, "invalid_request"),
        (b'{"jsonrpc":"2.0","id":1,"method":"state","params":1}', -32600, "invalid_request"),
    ],
)
async def test_a_line_that_is_no_request_is_answered_and_the_connection_goes_on(
    autojump_clock: MockClock, tmp_path: Path, line: bytes, code: int, kind: str
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await go_to(client, "active")
        await client.send(line + b"\n")
        reply = await client.receive()

        assert reply["id"] is None
        assert reply["error"]["code"] == code
        assert reply["error"]["data"] == {"kind": kind, "runtime": "active"}
        assert (await client.request("state"))["runtime"] == "active"


async def test_a_bug_is_told_as_such_and_the_connection_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        served.clock.broken = True
        await client.send(b'{"jsonrpc":"2.0","id":"x","method":"state"}\n')
        await wait_all_tasks_blocked()
        served.clock.broken = False
        reply = await client.receive()

        assert (reply["id"], reply["error"]["code"]) == ("x", -32603)
        assert reply["error"]["data"]["kind"] == "internal_error"
        assert [record.exc_info is not None for record in caplog.records] == [True]
        assert (await client.request("state"))["runtime"] == "idle"


async def test_a_notification_is_carried_out_and_never_answered(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        for line in (
            b'{"jsonrpc":"2.0","method":"plan","params":{"intent":"read"}}',
            b'{"jsonrpc":"2.0","method":"complete"}',
            b'{"jsonrpc":"2.0","method":"undo"}',
            b'{"jsonrpc":"2.0","method":"plan","params":{"intent":1}}',
            b'[{"jsonrpc":"2.0","method":"state"},{"jsonrpc":"2.0","method":"undo"}]',
        ):
            await client.send(line + b"\n")
        state = await client.request("state")

    assert state["intent"] == "read"


async def test_a_batch_is_carried_out_in_order_and_answered_in_one_line(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "plan", "params": {"intent": "read"}},
        {"jsonrpc": "2.0", "method": "start"},
        1,
        {"jsonrpc": "2.0", "id": "two", "method": "undo"},
        {"jsonrpc": "2.0", "id": 3.5, "method": "complete"},
    ]
    async with open_served(tmp_path) as served:
        (line,) = (await served.raw(json.dumps(batch).encode() + b"\n")).splitlines()
        answers = json.loads(line)

    assert [answer["id"] for answer in answers] == [1, None, "two", 3.5]
    assert answers[0]["result"]["runtime"] == "planning"
    assert answers[1]["error"]["code"] == -32600
    assert answers[2]["error"]["data"] == {"kind": "method_not_found", "runtime": "active"}
    assert answers[3]["result"]["runtime"] == "review"


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

    assert (state["runtime"], state["durable"]) == ("idle", True)
    closed = closed_review(served)
    assert closed == ("partial", "the second half is left")


def closed_review(served: Served) -> tuple[str | None, str]:
    review = served.store.saves[-1].last_review
    assert review is not None
    return review.outcome, review.note

"""Every kind of error over the wire, and what notifications and batches make of one."""

import json
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.builders import WITH_HELP
from tests.rpc.phases import go_to, refused, without_time
from tests.rpc.served import open_served

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


@pytest.mark.parametrize(
    ("method", "hint"), [("stat", "did you mean state"), ("undo", "see docs/protocol.md")]
)
async def test_an_unknown_method_is_refused_with_the_nearest(
    tmp_path: Path, method: str, hint: str
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        error = await refused(client, method)

    assert (error.kind, error.code, error.runtime) == ("method_not_found", -32601, "idle")
    assert hint in str(error)


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

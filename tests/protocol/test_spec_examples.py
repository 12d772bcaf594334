"""The examples of section 7 of the JSON-RPC 2.0 specification, as a table."""

import json

import msgspec
import pytest

from protocol import jsonrpc
from protocol.errors import RpcError
from protocol.jsonrpc import Invalid, Request


def subtract(params: object) -> int:
    match params:
        case [int(minuend), int(subtrahend)]:
            return minuend - subtrahend
        case {"minuend": int(minuend), "subtrahend": int(subtrahend)}:
            return minuend - subtrahend
        case _:
            raise RpcError("invalid_params", "subtract takes two numbers")


def call(request: Request) -> object:
    params = [] if request.params is msgspec.UNSET else msgspec.json.decode(request.params)
    match request.method:
        case "subtract":
            return subtract(params)
        case "sum":
            return sum(params)
        case "get_data":
            return ["hello", 5]
        case "update" | "notify_hello" | "notify_sum":
            return None
        case _:
            raise RpcError("method_not_found", f"no method {request.method}")


def answer_one(message: Request | Invalid) -> bytes:
    if isinstance(message, Invalid):
        return jsonrpc.encode_error(jsonrpc.NULL_ID, message.error)
    try:
        result = call(message)
    except RpcError as error:
        if isinstance(message.id, msgspec.UnsetType):
            return b""
        return jsonrpc.encode_error(message.id, error.to_object())
    if isinstance(message.id, msgspec.UnsetType):
        return b""
    return jsonrpc.encode_result(message.id, result)


def answer(line: str) -> bytes:
    decoded = jsonrpc.decode(line.encode())
    if isinstance(decoded, list):
        answers = [answer_one(message) for message in decoded]
        return jsonrpc.encode_batch([each for each in answers if each])
    return answer_one(decoded)


def failure(code: int, request_id: object = None) -> dict[str, object]:
    return {"jsonrpc": "2.0", "error": code, "id": request_id}


def success(result: object, request_id: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "result": result, "id": request_id}


def codes_only(reply: object) -> object:
    """Replace error objects by their codes: the specification fixes no more than those."""
    match reply:
        case list():
            return [codes_only(each) for each in reply]
        case {"error": {"code": code}, **rest}:
            return {**rest, "error": code}
        case _:
            return reply


EXAMPLES = {
    "positional 1": (
        '{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}',
        success(19, 1),
    ),
    "positional 2": (
        '{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}',
        success(-19, 2),
    ),
    "named 1": (
        (
            '{"jsonrpc": "2.0", "method": "subtract", '
            '"params": {"subtrahend": 23, "minuend": 42}, "id": 3}'
        ),
        success(19, 3),
    ),
    "named 2": (
        (
            '{"jsonrpc": "2.0", "method": "subtract", '
            '"params": {"minuend": 42, "subtrahend": 23}, "id": 4}'
        ),
        success(19, 4),
    ),
    "notification": ('{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', None),
    "notification of an unknown method": ('{"jsonrpc": "2.0", "method": "foobar"}', None),
    "unknown method": (
        '{"jsonrpc": "2.0", "method": "foobar", "id": "1"}',
        failure(-32601, "1"),
    ),
    "invalid JSON": (
        '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
        failure(-32700),
    ),
    "invalid request": (
        '{"jsonrpc": "2.0", "method": 1, "params": "bar"}',
        failure(-32600),
    ),
    "batch of invalid JSON": (
        (
            '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},'
            '{"jsonrpc": "2.0", "method"]'
        ),
        failure(-32700),
    ),
    "empty batch": ("[]", failure(-32600)),
    "batch of one wrong element": ("[1]", [failure(-32600)]),
    "batch of wrong elements": ("[1,2,3]", [failure(-32600)] * 3),
    "mixed batch": (
        (
            '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},'
            '{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},'
            '{"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},'
            '{"foo": "boo"},'
            '{"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},'
            '{"jsonrpc": "2.0", "method": "get_data", "id": "9"}]'
        ),
        [
            success(7, "1"),
            success(19, "2"),
            failure(-32600),
            failure(-32601, "5"),
            success(["hello", 5], "9"),
        ],
    ),
    "batch of notifications": (
        (
            '[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},'
            '{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]'
        ),
        None,
    ),
}


@pytest.mark.parametrize(("sent", "expected"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_each_example_of_the_specification_is_answered_as_it_says(
    sent: str, expected: object
) -> None:
    reply = answer(sent)

    assert codes_only(json.loads(reply)) == expected if expected is not None else reply == b""
    assert reply.count(b"\n") == (1 if expected is not None else 0)

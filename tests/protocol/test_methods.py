"""Params: by name, strictly typed, and a message that names the member at fault."""

from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import jsonrpc
from protocol.errors import RpcError
from protocol.jsonrpc import Request
from protocol.methods import METHODS, Params, decode_params

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(), each, max_size=3),
    max_leaves=5,
)


def request(method: str, params: str | None = None) -> Request:
    members = "" if params is None else f',"params":{params}'
    decoded = jsonrpc.decode(f'{{"jsonrpc":"2.0","id":1,"method":"{method}"{members}}}'.encode())
    assert isinstance(decoded, Request)
    return decoded


def decode(method: str, params: str | None = None) -> Params:
    return decode_params(METHODS[method].params, request(method, params))


NEEDS_PARAMS = {
    method
    for method, known in METHODS.items()
    if any(field.required for field in msgspec.structs.fields(known.params))
}


@pytest.mark.parametrize("method", sorted(set(METHODS) - NEEDS_PARAMS))
@pytest.mark.parametrize("params", [None, "{}", "[]", "[ ]"])
def test_params_that_are_all_optional_can_be_left_out(method: str, params: str | None) -> None:
    assert decode(method, params) == METHODS[method].params()


@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("params", ["[1]", '{"surprise":1}'])
def test_params_are_known_and_by_name(method: str, params: str) -> None:
    with pytest.raises(RpcError) as caught:
        decode(method, params)

    assert caught.value.to_object().code == -32602
    assert caught.value.message.startswith(f"{method}: ")


@pytest.mark.parametrize(
    ("method", "params", "member"),
    [
        ("plan", '{"intent":1}', "intent"),
        ("plan", '{"intent":["a"]}', "intent"),
        ("plan", '{"task_id":2}', "task_id"),
        ("coach", '{"intent":true}', "intent"),
        ("knowledge_path", "{}", "path"),
        ("knowledge_path", '{"path":null}', "path"),
        ("knowledge_path", '{"path":["a"]}', "path"),
        ("why", '{"preview":1}', "preview"),
        ("start", '{"next_action":true}', "next_action"),
        ("start", '{"timebox_secs":"25"}', "timebox_secs"),
        ("start", '{"timebox_secs":true}', "timebox_secs"),
        ("start", '{"timebox_secs":60.0}', "timebox_secs"),
        ("start", '{"timebox_secs":1e3}', "timebox_secs"),
        ("start", '{"allowed_window_classes":"code"}', "allowed_window_classes"),
        ("start", '{"allowed_window_classes":["code",1]}', "allowed_window_classes[1]"),
        ("start", '{"allowed_window_titles":[null]}', "allowed_window_titles[0]"),
        ("ontask", '{"window_class":{}}', "window_class"),
        ("disallow", '{"window_title":0}', "window_title"),
        ("extend", '{"secs":false}', "secs"),
        ("review", '{"outcome":"great"}', "outcome"),
        ("review", '{"note":1}', "note"),
        ("display", "{}", "display"),
        ("display", '{"display":null}', "display"),
    ],
)
def test_a_wrong_type_is_refused_by_name(method: str, params: str, member: str) -> None:
    with pytest.raises(RpcError) as caught:
        decode(method, params)

    assert caught.value.kind == "invalid_params"
    assert member.removesuffix("[1]").removesuffix("[0]") in caught.value.message


def test_the_values_arrive() -> None:
    params = decode(
        "start",
        '{"next_action":"write","timebox_secs":60,"allowed_window_classes":["code","xterm"],'
        '"allowed_window_titles":[],"success_condition":null}',
    )

    assert msgspec.structs.asdict(params) == {
        "next_action": "write",
        "success_condition": None,
        "timebox_secs": 60,
        "allowed_window_classes": ("code", "xterm"),
        "allowed_window_titles": (),
    }


@given(st.sampled_from(sorted(METHODS)), st.dictionaries(st.text(), JSON_VALUES, max_size=3))
def test_any_params_are_taken_or_refused(method: str, params: dict[str, object]) -> None:
    decoded = jsonrpc.decode(jsonrpc.encode_request(1, method, params))
    assert isinstance(decoded, Request)
    with suppress(RpcError):
        decode_params(METHODS[method].params, decoded)


def test_a_complaint_is_short_whatever_it_quotes() -> None:
    with pytest.raises(RpcError) as caught:
        decode("plan", '{"' + "x" * 60_000 + '":1}')

    assert len(caught.value.message) <= 200


def test_what_is_not_asked_for_is_not_sent() -> None:
    for method in set(METHODS) - NEEDS_PARAMS:
        assert msgspec.json.encode(METHODS[method].params()) == b"{}"

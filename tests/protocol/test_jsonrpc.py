"""Envelopes at their edges: ids, wrong shapes, hostile bytes, odd text."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import jsonrpc
from protocol.errors import CODES, ErrorObject, RpcError
from protocol.jsonrpc import BadMessage, Invalid, Request

ODD_TEXT = st.text(st.characters(codec=None))


def decode_one(line: bytes) -> Request | Invalid:
    decoded = jsonrpc.decode(line)
    assert not isinstance(decoded, list)
    return decoded


def code_of(line: bytes) -> int | None:
    decoded = decode_one(line)
    return decoded.error.code if isinstance(decoded, Invalid) else None


def request_line(**members: str) -> bytes:
    shown = {"jsonrpc": '"2.0"', "method": '"state"', **members}
    return ("{" + ",".join(f'"{name}":{text}' for name, text in shown.items()) + "}").encode()


@pytest.mark.parametrize(
    "written",
    ["1", "1.0", "-0", "0.5", "1e3", "1e999", "9" * 5000, '"1"', '""', '"\\u00e9 \\n"', "null"],
)
@pytest.mark.fault("F25", "everything that JSON-RPC allows")
def test_an_id_comes_back_as_it_was_written(written: str) -> None:
    request = decode_one(request_line(id=f"  {written} "))

    assert isinstance(request, Request)
    assert isinstance(request.id, msgspec.Raw)
    assert jsonrpc.encode_result(request.id, 7).endswith(f'"id":{written}}}\n'.encode())
    error = RpcError("too_busy", "later").to_object()
    assert jsonrpc.encode_error(request.id, error).endswith(f'"id":{written}}}\n'.encode())


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ODD_TEXT | st.none())
def test_every_legal_id_is_echoed(request_id: float | str | None) -> None:
    try:
        written = json.dumps(request_id)
        request_id_as_sent = json.loads(written.encode("utf-8", "strict"))
    except UnicodeEncodeError:
        return
    request = decode_one(request_line(id=written))
    if isinstance(request, Invalid):  # only a lone surrogate may be refused
        assert isinstance(request_id, str)
        assert any("\ud800" <= each <= "\udfff" for each in request_id)
        return

    assert isinstance(request.id, msgspec.Raw)
    assert json.loads(jsonrpc.encode_result(request.id, 0))["id"] == request_id_as_sent


@pytest.mark.fault("F25", "everything that JSON-RPC allows")
def test_an_id_of_null_is_no_notification() -> None:
    with_null, without = decode_one(request_line(id="null")), decode_one(request_line())

    assert isinstance(with_null, Request)
    assert isinstance(without, Request)
    assert not with_null.is_notification
    assert without.is_notification


@pytest.mark.parametrize(
    "members",
    [
        {"id": "true"},
        {"id": "[1]"},
        {"id": '{"a":1}'},
        {"params": '"text"'},
        {"params": "1"},
        {"params": "null"},
        {"method": "null"},
        {"method": "1"},
        {"jsonrpc": '"1.0"'},
        {"jsonrpc": "2.0"},
        {"extra": "1"},
    ],
    ids=str,
)
@pytest.mark.parametrize("as_notification", [False, True])
@pytest.mark.fault("F25", "everything that JSON-RPC allows")
def test_a_wrong_shape_is_an_invalid_request(
    members: dict[str, str], *, as_notification: bool
) -> None:
    given_id = {} if as_notification else {"id": "1"}

    assert code_of(request_line(**{**given_id, **members})) == CODES["invalid_request"]


@pytest.mark.parametrize(
    "line", [b"{}", b'"text"', b"1", b"null", b"true", b'{"method":"state","id":1}']
)
def test_json_that_is_no_request_object_is_an_invalid_request(line: bytes) -> None:
    assert code_of(line) == CODES["invalid_request"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"  ",
        b"hello",
        b'{"jsonrpc":"2.0"',
        b'{"jsonrpc":"2.0","method":1,"foo":',  # wrong in shape before it is broken
        b'{"jsonrpc":"2.0","method":"state"} x',
        request_line(id="NaN"),
        request_line(id="Infinity"),
        request_line(id="01"),
        request_line(params='{"a":"\\ud800"}'),
        request_line(id='"\\udc00"'),
        request_line(params='{"a":"X"}').replace(b"X", b"\xff"),
        request_line(params='{"a":"X"}').replace(b"X", b"\xed\xa0\x80"),
        b"\xef\xbb\xbf" + request_line(),
        b"[" * 100_000,
        b"[" * 30_000 + b"]" * 30_000,
        request_line(params='{"a":' * 10_000 + "1" + "}" * 10_000),
    ],
    ids=lambda line: f"{len(line)} bytes {line[:50]!r}",
)
def test_what_is_not_json_is_a_parse_error(line: bytes) -> None:
    assert code_of(line) == CODES["parse_error"]


def test_of_a_member_given_twice_the_last_one_counts() -> None:
    request = decode_one(b'{"jsonrpc":"2.0","method":"a","method":"b","id":1,"id":2}')

    assert isinstance(request, Request)
    assert request.method == "b"
    assert bytes(request.id if isinstance(request.id, msgspec.Raw) else b"") == b"2"


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_a_request_or_are_refused(line: bytes) -> None:
    jsonrpc.decode(line)
    jsonrpc.decode(b"[" + line + b"]")
    jsonrpc.decode(b'{"jsonrpc":"2.0","method":' + line + b"}")


@given(st.data())
def test_a_request_with_bytes_changed_is_a_request_or_is_refused(data: st.DataObject) -> None:
    line = bytearray(request_line(id="1.5", params='{"intent":"\\u00e9","x":[{"y":null}]}'))
    for _ in range(data.draw(st.integers(1, 5))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))

    jsonrpc.decode(bytes(line))


def test_a_complaint_is_short_whatever_it_quotes() -> None:
    refused = decode_one(request_line(**{"x" * 60_000: "1"}))

    assert isinstance(refused, Invalid)
    assert len(refused.error.message) < 300


@given(st.recursive(ODD_TEXT, lambda each: st.lists(each) | st.dictionaries(ODD_TEXT, each)))
def test_any_text_can_be_sent_as_a_result(result: object) -> None:
    line = jsonrpc.encode_result(jsonrpc.NULL_ID, result)

    assert line.index(b"\n") == len(line) - 1
    sent = json.loads(line.decode())["result"]
    try:
        json.dumps(result, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        assert "\ufffd" in str(sent)
    else:
        assert sent == result


def test_a_lone_surrogate_is_replaced_in_a_struct_too() -> None:
    class Holder(msgspec.Struct):
        texts: tuple[str, ...]

    line = jsonrpc.encode_notification("state", Holder(("fine", "\ud800 \U0001f600")))

    assert json.loads(line)["params"] == {"texts": ["fine", "\ufffd \U0001f600"]}


def test_what_a_client_asks_is_what_the_server_reads() -> None:
    request = decode_one(jsonrpc.encode_request(7, "plan", {"intent": 'a "b"\n'}))

    assert isinstance(request, Request)
    assert request.method == "plan"
    assert isinstance(request.params, msgspec.Raw)
    assert json.loads(bytes(request.params)) == {"intent": 'a "b"\n'}


def test_a_client_reads_results_errors_and_notifications() -> None:
    error = RpcError("not_active", "no session", runtime="idle").to_object()

    result = jsonrpc.decode_incoming(jsonrpc.encode_result(msgspec.Raw(b"3"), {"a": 1}))
    failed = jsonrpc.decode_incoming(jsonrpc.encode_error(jsonrpc.NULL_ID, error))
    told = jsonrpc.decode_incoming(jsonrpc.encode_notification("state", {"b": 2}))

    assert result.id == 3
    assert isinstance(result.result, msgspec.Raw)
    assert bytes(result.result) == b'{"a":1}'
    assert failed.error == error
    assert told.method == "state"


def test_a_client_takes_an_error_without_data() -> None:
    incoming = jsonrpc.decode_incoming(
        b'{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no","more":1}}'
    )

    assert incoming.error == ErrorObject(-1, "no")


@pytest.mark.parametrize("line", [b"", b"x", b"[]", b"{}", b'{"id":1}', b"[" * 100_000])
def test_a_client_names_what_is_no_message(line: bytes) -> None:
    with pytest.raises(BadMessage):
        jsonrpc.decode_incoming(line)

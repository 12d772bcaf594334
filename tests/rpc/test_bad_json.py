"""JSON that looks harmless: each trap has one answer, changes nothing, and kills nobody."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from tests.rpc.served import open_served


def extend(secs: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":1,"method":"extend","params":{"secs":%b}}' % secs.encode()


def plan(text: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":1,"method":"plan","params":{"intent":%b}}' % text.encode()


PARSE, SHAPE, PARAMS, VALUE = -32700, -32600, -32602, -32003

TRAPS: list[tuple[str, bytes, set[int]]] = [
    ("60,000 brackets", b"[" * 60_000, {PARSE}),
    ("60,000 objects", b'{"a":' * 12_000, {PARSE}),
    ("deep params", plan("[" * 5_000 + "]" * 5_000), {PARSE, PARAMS}),
    ("deep id", extend("1").replace(b":1,", b":" + b"[" * 9000 + b"]" * 9000 + b","), {PARSE}),
    ("5,000 digits", extend("1" * 5_000), {PARSE, PARAMS, VALUE}),
    ("2^70", extend(str(2**70)), {PARAMS, VALUE}),
    ("-2^63 - 1", extend(str(-(2**63) - 1)), {PARAMS, VALUE}),
    ("1e999", extend("1e999"), {PARSE, PARAMS}),
    ("a fraction", extend("60.5"), {PARAMS}),
    ("NaN", extend("NaN"), {PARSE}),
    ("Infinity", extend("Infinity"), {PARSE}),
    ("-0", extend("-0"), {PARAMS, VALUE}),
    ("a number as text", extend('"60"'), {PARAMS}),
    ("true", extend("true"), {PARAMS}),
    ("half a surrogate pair", plan(r'"\ud800"'), {PARSE, PARAMS, VALUE}),
    ("a pair the wrong way round", plan(r'"\udc00\ud800"'), {PARSE, PARAMS, VALUE}),
    ("NUL", plan(r'"a\u0000b"'), {VALUE}),
    ("an escape", plan(r'"\u001b[2J"'), {VALUE}),
    ("C1", plan('"a\u0085b"'), {VALUE}),
    ("not UTF-8", plan("1").replace(b"1}", b'"\xff"}'), {PARSE}),
    ("overlong UTF-8", plan("1").replace(b"1}", b'"\xc0\xaf"}'), {PARSE}),
    ("a byte order mark", b"\xef\xbb\xbf" + plan('"a"'), {PARSE}),
    ("a raw tab in text", plan('"a\tb"'), {PARSE, VALUE}),
    ("a comment", plan('"a"').replace(b",", b",/* */", 1), {PARSE}),
    ("a trailing comma", plan('"a"').replace(b"}}", b",}}"), {PARSE}),
    ("two documents", plan('"a"') * 2, {PARSE}),
    ("single quotes", plan("'a'"), {PARSE}),
    ("an unknown member", plan('"a","x":1'), {PARAMS}),
    ("an unknown member of the request", plan('"a"').replace(b"}}", b'},"x":1}'), {SHAPE}),
    ("a method of 60,000 characters", plan("1").replace(b"plan", b"x" * 60_000), {-32601}),
    ("the last of two versions", plan('"a"').replace(b"}}", b'},"jsonrpc":"1.0"}'), {SHAPE}),
    ("params by position", plan("1").replace(b'{"intent":1}', b'["a"]'), {PARAMS}),
]  # fmt: skip


@pytest.mark.parametrize(("line", "codes"), [trap[1:] for trap in TRAPS], ids=[t[0] for t in TRAPS])
@pytest.mark.fault("F21", "JSON that is a trap")
async def test_a_trap_is_refused_and_changes_nothing(
    autojump_clock: MockClock, tmp_path: Path, line: bytes, codes: set[int]
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        started = await client.request("start", next_action="write")
        if b'"plan"' in line:
            await client.request("complete")
            started = await client.request("state")
        await client.send(line + b"\n")
        reply: dict[str, Any] = await client.receive()

        assert reply["error"]["code"] in codes
        assert "\n" not in reply["error"]["message"]
        assert len(reply["error"]["message"]) < 400
        after = await client.request("state")
        assert (after["revision"], after["runtime"]) == (started["revision"], started["runtime"])


@pytest.mark.fault("F21", "JSON that is a trap")
async def test_of_a_member_given_twice_the_last_one_counts(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        (line,) = (await served.raw(plan('"a","intent":"b"') + b"\n")).splitlines()

    assert json.loads(line)["result"]["intent"] == "b"


@pytest.mark.parametrize(
    "text",
    ["héllo wörld", "日本語", "👩‍👩‍👧", "a\u202eb", 'quote " and \\ backslash', "\U0010ffff"],
)
@pytest.mark.fault("F21", "JSON that is a trap")
async def test_text_of_every_kind_comes_back_as_it_was_sent(
    autojump_clock: MockClock, tmp_path: Path, text: str
) -> None:
    async with open_served(tmp_path) as served:
        for escaped in (True, False):
            request = plan(json.dumps(text, ensure_ascii=escaped))
            (line,) = (await served.raw(request + b"\n")).splitlines()
            assert json.loads(line)["result"]["intent"] == text


@pytest.mark.parametrize("title", ["half \ud800 a pair", "\udcff bytes"])
@pytest.mark.fault("F21", "JSON that is a trap")
async def test_half_a_surrogate_pair_in_a_title_kills_nobody(
    autojump_clock: MockClock, tmp_path: Path, title: str
) -> None:
    """No sensor should pass one on; were one to, the rest of the state must get through."""
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.request("watch")
        served.sensor.focus("code", title)

        assert (await client.next_state())["window"]["class"] == "code"
        assert (await client.request("state"))["window"]["title"].isprintable()


@pytest.mark.fault("F21", "JSON that is a trap", is_control=True)
def test_a_reader_that_takes_what_python_takes_is_caught() -> None:
    taken = []
    for name, line, codes in TRAPS:
        with suppress(ValueError, RecursionError):
            json.loads(line)
            taken += [name] if codes == {PARSE} else []

    assert {"NaN", "Infinity"} <= set(taken)

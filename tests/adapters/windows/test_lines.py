"""What a sensor program prints is understood, or refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.windows.lines import (
    MAX_LINE_BYTES,
    Alive,
    Detail,
    Line,
    LineBuffer,
    Seen,
    Unavailable,
    parse_line,
)
from antidriftd.core.model import Window


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        (b'{"class":"XTerm","instance":"xterm","title":"a"}', Seen(Window("XTerm", "a", "xterm"))),
        (b'{"class":"XTerm"}', Seen(Window("XTerm", "", ""))),
        (b'{"title":"a"}', Seen(Window("", "a", ""))),
        (b'{"class":"","title":""}', Seen(Window("", ""))),
        (b'{"class":"a","pid":3,"more":[1,{}]}', Seen(Window("a", ""))),
        (b'{"window":null}', Seen(None)),
        (b' {"alive":true} \r', Alive()),
        (b'{"alive":true,"idle_secs":12.3}', Alive(12.3)),
        (b'{"alive":true,"idle_secs":0}', Alive(0)),
        (b'{"alive":true,"idle_secs":null}', Alive(None)),
        (b'{"detail":""}', Detail("")),
        (b'{"detail":"two\\n lines"}', Detail("two lines")),
        (b'{"unavailable":"X is\\n gone"}', Unavailable("X is gone")),
        (b'{"unavailable":""}', Unavailable("no reason given")),
    ],
)
def test_a_line_is_understood(line: bytes, meaning: Line) -> None:
    assert parse_line(line) == meaning


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"Traceback (most recent call last):",
        b"[]",
        b"{}",
        b"null",
        b'{"alive":false}',
        b'{"alive":1}',
        b'{"idle_secs":12.3}',
        b'{"alive":true,"idle_secs":-0.1}',
        b'{"alive":true,"idle_secs":5e6}',
        b'{"alive":true,"idle_secs":1e999}',
        b'{"alive":true,"idle_secs":123456789012345678901234567890}',
        b'{"alive":true,"idle_secs":NaN}',
        b'{"alive":true,"idle_secs":Infinity}',
        b'{"alive":true,"idle_secs":"12"}',
        b'{"alive":true,"idle_secs":true}',
        b'{"alive":true,"idle_secs":[1]}',
        b'{"window":7}',
        b'{"class":null}',
        b'{"class":3,"title":"a"}',
        b'{"class":"a","title":["b"]}',
        b'{"class":"a","title":"\\ud800"}',
        b'{"class":"a","title":"\xff"}',
        b'{"class":"a"',
        b"\x00\xff\xfe",
        b"[" * 60_000,
    ],
)
def test_a_line_that_makes_no_sense_is_refused(line: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        parse_line(line)


def test_texts_are_cut_to_what_is_kept() -> None:
    record = {"class": "c" * 9000, "instance": "i" * 9000, "title": "t" * 9000}

    meaning = parse_line(json.dumps(record).encode())

    assert meaning == Seen(Window("c" * 256, "t" * 1024, "i" * 256))


@given(st.lists(st.binary(min_size=1).filter(lambda line: b"\n" not in line)), st.data())
def test_lines_are_the_same_however_the_bytes_arrive(
    lines: list[bytes], data: st.DataObject
) -> None:
    stream = b"".join(line + b"\n" for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    buffer = LineBuffer()

    assert [line for chunk in chunks for line in buffer.feed(chunk)] == lines


@pytest.mark.parametrize("chunk_bytes", [1000, MAX_LINE_BYTES, 10**7])
def test_a_line_without_end_is_cut_and_the_next_one_is_whole(chunk_bytes: int) -> None:
    buffer = LineBuffer()
    stream = b"x" * 1_000_000 + b"\n" + b'{"alive":true}\n'

    chunks = [stream[at : at + chunk_bytes] for at in range(0, len(stream), chunk_bytes)]

    assert [line for chunk in chunks for line in buffer.feed(chunk)] == [
        b"x" * MAX_LINE_BYTES,
        b'{"alive":true}',
    ]

"""Framing: the cuts between reads don't matter, and a line has a limit."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.connection import MAX_REPLY_BYTES, MAX_REQUEST_BYTES, FrameTooLong, LineReader

LINE = st.binary(max_size=20).map(lambda data: data.replace(b"\n", b"").rstrip(b"\r"))
LINE_END = st.sampled_from([b"\n", b"\r\n"])


def read_all(reader: LineReader, pieces: list[bytes]) -> list[bytes]:
    return [line for piece in pieces for line in reader.receive(piece)]


@given(st.lists(st.tuples(LINE, LINE_END)), st.data())
def test_any_split_of_the_bytes_gives_the_same_lines(
    written: list[tuple[bytes, bytes]], data: st.DataObject
) -> None:
    stream = b"".join(line + end for line, end in written)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    edges = [0, *cuts, len(stream)]
    pieces = [stream[start:end] for start, end in pairwise(edges)]
    reader = LineReader(limit=20)

    assert read_all(reader, pieces) == [line for line, _ in written if line]
    assert not reader.begun


def test_a_frame_has_begun_until_its_end_comes() -> None:
    reader = LineReader(limit=10)
    seen = [reader.begun]
    for piece in [b"a", b"b\n", b"c\nd", b"\n"]:
        reader.receive(piece)
        seen.append(reader.begun)

    assert seen == [False, True, False, True, False]


def test_one_byte_at_a_time_takes_linear_time() -> None:
    reader = LineReader(MAX_REPLY_BYTES)
    line = b"x" * MAX_REPLY_BYTES

    # A reader that copies what it holds at every byte would copy half a terabyte here.
    lines = read_all(reader, [line[at : at + 1] for at in range(len(line))] + [b"\n"])

    assert lines == [line]


def test_a_reply_of_300_kib_is_one_line() -> None:
    line = b"y" * 300 * 1024
    reader = LineReader(MAX_REPLY_BYTES)

    assert read_all(reader, [line[:70_000], line[70_000:] + b"\n" + line, b"\n"]) == [line, line]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_of_just_the_limit_passes(end: bytes) -> None:
    line = b"x" * MAX_REQUEST_BYTES
    for pieces in [[line + end], [line, end], [line + end[:1], end[1:]]]:
        assert read_all(LineReader(MAX_REQUEST_BYTES), pieces) == [line]


@pytest.mark.parametrize("tail", [b"\n", b"\r\n", b""])
def test_a_line_over_the_limit_is_refused_ended_or_not(tail: bytes) -> None:
    reader = LineReader(MAX_REQUEST_BYTES)

    with pytest.raises(FrameTooLong, match="65536"):
        reader.receive(b"x" * (MAX_REQUEST_BYTES + 1) + tail)


def test_lines_before_one_that_is_too_long_are_delivered() -> None:
    reader = LineReader(limit=4)

    with pytest.raises(FrameTooLong) as caught:
        reader.receive(b"one\ntwo\nthree\nfour\n")

    assert caught.value.lines == [b"one", b"two"]

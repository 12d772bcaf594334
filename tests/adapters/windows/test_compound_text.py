"""COMPOUND_TEXT decodes, whatever the bytes are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.windows.compound_text import decode_compound_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b"", ""),
        (b"plain", "plain"),
        (b"na\xefve", "naïve"),
        (b"na\xefve \x1b%G\xe2\x80\x94\x1b%@ \x1b$(BF|K\\\x1b(B!", "naïve — 日本!"),
        (b"\x1b$)B\xc6\xfc\xcb\xdc", "日本"),
        (b"\x1b$BF|K\\", "日本"),
        (b"\x1b$(@F|K\\\x1b(J.", "日本."),
        (b"\x1b)I\xb1\xb2\x1b(B x", "\uff71\uff72 x"),
        (b"\x1b$(CGQ19", "한국"),
        (b"\x1b$(A\x56\x50\x39\x7a", "中国"),
        (b"\x1b$(D\x30\x21", "丂"),
        (b"\x1b-B\xb1\xe6", "ąć"),
        (b"\x1b-L\xbf\xe0\xd8", "При"),
        (b"\x1b-F\xe1\xe2 \x1b-A\xe9", "αβ é"),
        (b"\x1b%/1\x80\x8ckoi8-r\x02\xf0\xd2\xc9\xd7\xc5!", "Приве!"),
        (b"\x1b%/2\x80\x8bbig5-0\x02\xa4\xa4\xb0\xea.", "中國."),
        (b"\x1b%/1\x80\x88oddly\x02\xe9a", "\ufffda"),
        (b"\x1b%/1\xff\xffkoi8-r\x02\xf0", "П"),
        (b"\x9b2]right to left\x9b]", "right to left"),
        (b'\x1b$(G!!""', "\ufffd\ufffd"),
        (b"a\x1b", "a\ufffd"),
        (b"a\x85b", "a\ufffdb"),
        (b"\x1b%Gopen \xc3\xa9", "open é"),
        (b"\x1b%Gstray \x80", "stray \ufffd"),
        (b"line\tof\ntext", "line\tof\ntext"),
    ],
)
def test_text_is_decoded(value: bytes, text: str) -> None:
    assert decode_compound_text(value) == text


@pytest.mark.parametrize("codec", ["iso2022_jp", "iso2022_jp_1", "iso2022_jp_2"])
@given(text=st.text(st.sampled_from("abc XYZ 日本語テスト漢字かな")))
def test_what_iso_2022_encodes_comes_back(codec: str, text: str) -> None:
    assert decode_compound_text(text.encode(codec)) == text


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_utf_8_segments_come_back(text: str) -> None:
    assert decode_compound_text(b"<\x1b%G" + text.encode() + b"\x1b%@>") == f"<{text}>"


_PIECES = st.one_of(
    st.binary(max_size=8),
    st.sampled_from(
        [
            b"\x1b$(B",
            b"\x1b$)A",
            b"\x1b-L",
            b"\x1b(B",
            b"\x1b%G",
            b"\x1b%@",
            b"\x1b%/2\x80\x85ab\x02",
        ]
    ),
)


@given(st.lists(_PIECES).map(b"".join))
def test_any_bytes_give_text_that_can_be_sent_on(value: bytes) -> None:
    decode_compound_text(value).encode("utf-8")

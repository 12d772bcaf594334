"""Window properties decode, whatever programs write there."""

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from antidriftd.adapters.windows.ewmh import (
    Property,
    decode_class,
    decode_title,
    decode_window_id,
)


def text(value: bytes, type_name: str = "STRING") -> Property:
    return Property(type_name, 8, value)


def utf8(value: bytes) -> Property:
    return text(value, "UTF8_STRING")


def numbers(*values: int) -> Property:
    return Property("WINDOW", 32, b"".join(value.to_bytes(4, sys.byteorder) for value in values))


@pytest.mark.parametrize(
    ("wm_class", "instance_and_class"),
    [
        (None, ("", "")),
        (text(b""), ("", "")),
        (text(b"\0"), ("", "")),
        (text(b"\0\0"), ("", "")),
        (text(b" \0  \0"), ("", "")),
        (text(b"xterm\0XTerm\0"), ("xterm", "XTerm")),
        (text(b"xterm\0XTerm"), ("xterm", "XTerm")),
        (text(b"element\0Element\0"), ("element", "Element")),
        (text(b"info.cemu.Cemu\0info.cemu.Cemu\0"), ("info.cemu.Cemu", "info.cemu.Cemu")),
        (text(b"game"), ("game", "game")),
        (text(b"game\0"), ("game", "game")),
        (text(b"game\0\0"), ("game", "game")),
        (text(b"\0Game\0"), ("", "Game")),
        (text(b"a\0B\0c\0"), ("a", "B")),
        (utf8("café\0Café\0".encode()), ("café", "Café")),
        (text("café\0Café\0".encode()), ("café", "Café")),
        (text("café\0Café\0".encode("latin-1")), ("café", "Café")),
        (text(b"a\0\x80\xff\0", "UTF8_STRING"), ("a", "\ufffd\ufffd")),
        (text(b"a\0" + b"x" * 1000), ("a", "x" * 256)),
        (text(b"odd\0Odd\0", ""), ("odd", "Odd")),
        (Property("STRING", 32, b"xterm\0XTerm\0"), ("", "")),
        (Property("STRING", 16, b"xterm\0XTerm\0"), ("", "")),
    ],
)
def test_a_class_is_decoded(wm_class: Property | None, instance_and_class: tuple[str, str]) -> None:
    assert decode_class(wm_class) == instance_and_class


@pytest.mark.parametrize(
    ("net_wm_name", "wm_name", "title"),
    [
        (None, None, ""),
        (utf8("naïve — 日本".encode()), text(b"na?ve"), "naïve — 日本"),
        (utf8(b"report \x80 draft"), None, "report \ufffd draft"),
        (text(b"report \x80 draft"), None, "report \ufffd draft"),
        (utf8(b"\xed\xa0\x80"), None, "\ufffd\ufffd\ufffd"),
        (text(b"\x1b$(BF|K\\", "COMPOUND_TEXT"), None, "日本"),
        (utf8(b""), text(b"fallback"), "fallback"),
        (utf8(b"\0"), text(b"fallback"), "fallback"),
        (Property("CARDINAL", 32, b"\1\0\0\0"), text(b"fallback"), "fallback"),
        (None, text("café".encode("latin-1")), "café"),
        (None, text("café".encode()), "café"),
        (None, utf8("日本".encode()), "日本"),
        (None, text(b"na\xefve \x1b%G\xe2\x80\x94\x1b%@", "COMPOUND_TEXT"), "naïve —"),
        (None, text(b"\x1b(B", "COMPOUND_TEXT"), "\ufffd"),
        (None, text("日本".encode(), ""), "日本"),
        (None, Property("STRING", 32, b"abcd"), ""),
        (utf8(b"seen\0unseen"), None, "seen"),
        (utf8(b"\0\0seen\0unseen"), None, "seen"),
        (utf8(b"x" * 200_000), None, "x" * 1024),
        (utf8("日".encode() * 1365 + b"\xe6"), None, "日" * 1024),
        (utf8(b"a\nb\x1b[2J"), None, "a\nb\x1b[2J"),
    ],
)
def test_a_title_is_decoded(
    net_wm_name: Property | None, wm_name: Property | None, title: str
) -> None:
    assert decode_title(net_wm_name, wm_name) == title


@pytest.mark.parametrize(
    ("active", "window"),
    [
        (None, None),
        (numbers(0), 0),
        (numbers(0x1234567), 0x1234567),
        (numbers(0x1234567, 0), 0x1234567),
        (numbers(), None),
        (Property("WINDOW", 8, b"\1\2\3\4"), None),
        (Property("WINDOW", 16, b"\1\2\3\4"), None),
    ],
)
def test_an_active_window_is_decoded(active: Property | None, window: int | None) -> None:
    assert decode_window_id(active) == window


properties = st.builds(
    Property,
    st.sampled_from(["STRING", "UTF8_STRING", "COMPOUND_TEXT", ""]),
    st.sampled_from([8, 16, 32]),
    st.binary(),
)


@given(properties, properties)
@example(utf8(b"\xff"), text(b"\xff", "COMPOUND_TEXT"))
def test_any_bytes_give_text_that_can_be_sent_on(first: Property, second: Property) -> None:
    for decoded in (decode_title(first, second), *decode_class(first)):
        decoded.encode("utf-8")
    decode_window_id(first)


@given(properties.filter(lambda prop: prop.format == 8 and bool(prop.value.strip(b"\0"))))
def test_a_title_that_holds_anything_is_never_shown_as_none(wm_name: Property) -> None:
    assert decode_title(None, wm_name) != ""

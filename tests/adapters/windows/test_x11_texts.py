"""Titles and classes as real servers hand them over."""

import pytest

from antidriftd.core.model import Window
from tests.adapters.windows.recording_sink import RecordingSink
from tests.x11 import XClient


@pytest.mark.parametrize(
    ("name", "value", "type_name", "bits"),
    [
        ("WM_CLASS", [7, 8], "CARDINAL", 32),
        ("_NET_WM_NAME", [7, 8], "CARDINAL", 32),
        ("_NET_WM_NAME", [7, 8], "UTF8_STRING", 16),
        ("WM_NAME", [7], "WINDOW", 32),
        ("WM_NAME", b"", "ANTIDRIFT_MADE_THIS_UP", 8),
    ],
)
async def test_a_property_of_the_wrong_kind_counts_as_absent(
    client: XClient, sink: RecordingSink, name: str, value: list[int], type_name: str, bits: int
) -> None:
    window = client.make_window()
    client.set_property(window, name, value, type_name, bits)
    client.set_active(window)

    await sink.wait_window(Window("", "", ""))
    assert [health.ok for health in sink.healths] == [False, True]


@pytest.mark.parametrize(
    ("name", "value", "type_name", "title"),
    [
        ("_NET_WM_NAME", b"report \x80 draft", "UTF8_STRING", "report \ufffd draft"),
        ("_NET_WM_NAME", b"x" * 200_000, "UTF8_STRING", "x" * 1024),
        ("_NET_WM_NAME", "日".encode() * 60_000, "UTF8_STRING", "日" * 1024),
        ("WM_NAME", b"caf\xe9", "STRING", "café"),
        ("WM_NAME", b"caf\xe9 \x1b$(BF|K\\", "COMPOUND_TEXT", "café 日本"),
        ("WM_NAME", "日本".encode(), "UTF8_STRING", "日本"),
        ("WM_NAME", "日本".encode(), "ANTIDRIFT_MADE_THIS_UP", "日本"),
        ("WM_NAME", b"a\nb\x1b[2J\x07", "STRING", "a\nb\x1b[2J\x07"),
    ],
)
async def test_a_title_is_decoded_by_its_type(
    client: XClient, sink: RecordingSink, name: str, value: bytes, type_name: str, title: str
) -> None:
    window = client.make_window("XTerm")
    client.set_property(window, name, value, type_name)
    client.set_active(window)

    await sink.wait_window(Window("XTerm", title, "xterm"))


@pytest.mark.parametrize(
    ("value", "type_name", "window_class", "instance"),
    [
        (b"\0\0", "STRING", "", ""),
        (b"game", "STRING", "game", "game"),
        (b"element\0Element", "STRING", "Element", "element"),
        ("café\0Café\0".encode(), "UTF8_STRING", "Café", "café"),
    ],
)
async def test_a_class_is_decoded_whatever_its_form(
    client: XClient,
    sink: RecordingSink,
    value: bytes,
    type_name: str,
    window_class: str,
    instance: str,
) -> None:
    window = client.make_window(title="app")
    client.set_property(window, "WM_CLASS", value, type_name)
    client.set_active(window)

    await sink.wait_window(Window(window_class, "app", instance))

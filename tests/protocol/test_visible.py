"""Nothing from outside is shown with a hidden effect, and one line is one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.visible import one_line, visible
from tests.hostile_titles import ALWAYS_HIDDEN, HOSTILE, is_hidden


@pytest.mark.parametrize("char", ALWAYS_HIDDEN, ids=ascii)
def test_a_hidden_character_is_written_out(char: str) -> None:
    code = ord(char)
    form = "\\x{:02x}" if code < 0x100 else "\\u{:04x}" if code < 0x10000 else "\\U{:08x}"

    assert visible(f"a{char}b") == f"a{form.format(code)}b"


@given(HOSTILE)
@pytest.mark.fault("T6", "title to the terminal")
def test_no_text_keeps_a_hidden_character(text: str) -> None:
    shown = visible(text)

    assert not any(map(is_hidden, shown))
    assert visible(shown) == shown
    shown.encode()


@given(st.text(st.sampled_from("a 1é日👩\u0301ñ.-—\\")))
def test_harmless_text_is_shown_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "👩‍💻 at work",  # joined by ZWJ
        "👩🏽‍🚀",
        "🏳️‍🌈",
        "❤️‍🔥",
        "👨‍👩‍👧‍👦",
        "1️⃣",
        "می‌خواهم",  # Persian needs ZWNJ
        "क्‍ष",  # Devanagari with ZWJ after a virama
        "നന്‍മ",
        "🇫🇷🇩🇪",
        "葛󠄀",  # an ideographic variation
        "\u0600123",  # an Arabic number sign
        "naïve — 日本",
    ],
)
def test_characters_that_a_script_or_an_emoji_needs_stay(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pay\u200dpal", "pay\\u200dpal"),
        ("pay\u200cpal", "pay\\u200cpal"),
        ("\u200d👩", "\\u200d👩"),
        ("👩\u200d", "👩\\u200d"),
        ("👩\u200d\u200d💻", "👩\\u200d\\u200d💻"),
        ("👩\u200c💻", "👩\\u200c💻"),
        ("a\ufe0f\ufe0f\U000e0101", "a\ufe0f\\ufe0f\\U000e0101"),
        ("\ufe0f", "\\ufe0f"),
        (" \ufe0f", " \\ufe0f"),
        ("🏴\U000e0067\U000e007f", "🏴\\U000e0067\\U000e007f"),
        ("x \x1b[2J \x1b]52;c;QQ==\x07\nOK \u202e", None),
    ],
)
def test_stray_joiners_and_selectors_are_written_out(text: str, shown: str | None) -> None:
    if shown is None:
        shown = "x \\x1b[2J \\x1b]52;c;QQ==\\x07\\x0aOK \\u202e"

    assert visible(text) == shown


@given(st.one_of(st.text(), st.binary()))
def test_one_line_is_short(text: str | bytes) -> None:
    assert len(one_line(text, 20)) <= 20


def test_a_long_line_is_cut_with_an_ellipsis() -> None:
    assert one_line("one\ntwo  three", 8) == "one two…"


@given(HOSTILE)
def test_one_line_hides_nothing(text: str) -> None:
    assert not any(map(is_hidden, one_line(text, 30)))


def test_one_line_is_cut_between_characters() -> None:
    assert one_line("ab🇫🇷🇩🇪", 5) == "ab🇫🇷…"
    assert one_line("👩‍💻👩‍💻", 5) == "👩‍💻…"

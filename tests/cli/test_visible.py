"""Nothing from outside reaches a terminal with a hidden effect, and a cut harms no character."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidrift_cli.visible import clusters, cut, visible, width

ALWAYS_HIDDEN = [
    *map(chr, range(0x20)),
    *map(chr, range(0x7F, 0xA0)),
    *map(chr, range(0x202A, 0x202F)),  # bidirectional embeddings and overrides
    *map(chr, range(0x2066, 0x2070)),  # isolates and deprecated controls
    *map(chr, range(0xE0000, 0xE0080)),  # tags
    *"\u061c\u200b\u200e\u200f\u2028\u2029\u2060\u2061\u2064\ufeff\u00ad\u180e\u034f\u3164\u115f",
    "\ud800",
    "\udfff",
    "\u2065",
    "\ufff0",
    "\ufff9",
    "\U000e0fff",
    "\U0001d173",
]
# A mix in which dangerous characters are not rare.
HOSTILE = st.text(
    st.characters(codec=None)
    | st.sampled_from(ALWAYS_HIDDEN)
    | st.sampled_from("\u200c\u200d\ufe0e\ufe0f\U000e0100\u0301👩❤🏻🇫🇷한ᄀ각ᅡक्षनी")
)


def is_hidden(char: str) -> bool:
    return char in ALWAYS_HIDDEN or unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize("char", ALWAYS_HIDDEN, ids=ascii)
def test_a_hidden_character_is_written_out(char: str) -> None:
    code = ord(char)
    form = "\\x{:02x}" if code < 0x100 else "\\u{:04x}" if code < 0x10000 else "\\U{:08x}"

    assert visible(f"a{char}b") == f"a{form.format(code)}b"


@given(HOSTILE)
def test_no_text_keeps_a_hidden_character(text: str) -> None:
    for shown in (visible(text), cut(text, 20)):
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


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301",
        "👩‍💻",
        "👩🏽‍🚀",
        "👨‍👩‍👧‍👦",
        "🏳️‍🌈",
        "🇫🇷",
        "1️⃣",
        "각",  # conjoining jamo
        "क्षि",
        "நி",
        "葛󠄀",
    ],
)
def test_a_grapheme_cluster_is_never_split(cluster: str) -> None:
    assert list(clusters(f"a{cluster}b")) == ["a", cluster, "b"]
    for columns in range(1, 12):
        kept = cut(f"ab{cluster}cd{cluster}ef", columns)
        assert set(kept.replace(cluster, "")) <= set("abcdef…")


def test_two_flags_are_two_clusters() -> None:
    assert list(clusters("🇫🇷🇩🇪🇮")) == ["🇫🇷", "🇩🇪", "🇮"]


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("", 5, ""),
        ("abcde", 5, "abcde"),
        ("abcdef", 5, "abcd…"),
        ("日本語", 6, "日本語"),
        ("日本語だ", 6, "日本…"),
        ("日本語だ", 5, "日本…"),
        ("👩‍💻👩‍💻👩‍💻", 4, "👩‍💻…"),
        ("a" + "\u0301" * 1000 + "b", 10, "…"),  # no room is taken, yet there is a limit
        ("می‌خواهم", 3, "می…"),  # the joiner goes with what it joined
    ],
)
def test_a_text_is_cut_to_its_columns(text: str, columns: int, shown: str) -> None:
    assert cut(text, columns) == shown


@given(HOSTILE, st.integers(1, 30))
def test_a_cut_text_fits(text: str, columns: int) -> None:
    shown = cut(text, columns)

    assert sum(map(width, clusters(shown))) <= columns
    assert len(shown) <= 4 * columns + 1
    if shown != visible(text):
        assert shown.endswith("…")
        assert visible(text).startswith(shown[:-1])


@given(HOSTILE)
def test_clusters_make_up_the_text(text: str) -> None:
    assert "".join(clusters(text)) == text

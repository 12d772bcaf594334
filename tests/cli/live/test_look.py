"""Text and bars that fit a terminal."""

import pytest

from antidrift_cli.live.look import Look
from antidrift_cli.visible import columns_of

WIDE = Look(80, unicode=True)
ASCII = Look(80, unicode=False)


def test_text_is_cut_where_the_room_ends() -> None:
    assert WIDE.fit("a long title", 6) == "a lon…"
    assert WIDE.fit("日本語", 4) == "日…"
    assert WIDE.fit("x", 0) == ""


def test_a_terminal_without_unicode_gets_ascii_only() -> None:
    shown = ASCII.fit("日本 café, a long title", 20)

    assert shown == r"\u65e5\u672c caf\xe~"


@pytest.mark.parametrize("look", [WIDE, ASCII])
def test_text_wraps_between_words_and_is_cut_at_the_end(look: Look) -> None:
    words = "one two three four five six seven"
    lines = look.wrap(words, 10, 3)

    assert [columns_of(line) <= 10 for line in lines] == [True, True, True]
    assert lines[:2] == ["one two", "three four"]
    assert lines[2][-1] in "…~"
    assert look.wrap(words, 20, 5) == ["one two three four", "five six seven"]


def test_a_word_that_is_too_long_is_cut_and_the_others_are_kept() -> None:
    assert WIDE.wrap("abcdefghijkl and more", 8, 3) == ["abcdefg…", "and more"]


def test_text_from_outside_is_made_visible_before_it_wraps() -> None:
    assert WIDE.wrap("a\nb\x1b[2J \u202e", 40, 3) == [r"a\x0ab\x1b[2J \u202e"]


@pytest.mark.parametrize(
    ("share", "length"), [(0, 0), (0.001, 1), (0.5, 5), (1, 10), (7, 10), (-1, 0)]
)
def test_a_bar_is_as_long_as_its_share(share: float, length: int) -> None:
    assert len(WIDE.bar(share, 10)) == length
    assert len(ASCII.bar(share, 10)) == length


@pytest.mark.parametrize("look", [WIDE, ASCII])
def test_every_status_has_a_pattern_of_its_own(look: Look) -> None:
    bars = {
        look.bar(1, 3, "ontask"),
        look.bar(1, 3, "drift"),
        look.bar(1, 3, "unjudged"),
        look.bar(1, 3, "away"),
    }

    assert len(bars) == 4
    assert all(bar.isascii() for bar in bars) != look.unicode

"""A text is cut to its columns, and the cut harms no character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidrift_cli.visible import cut, visible, width
from protocol.clusters import clusters
from tests.hostile_titles import GRAPHEMES, HOSTILE, is_hidden


@pytest.mark.parametrize("cluster", GRAPHEMES)
def test_a_cut_leaves_a_grapheme_cluster_whole(cluster: str) -> None:
    for columns in range(1, 12):
        kept = cut(f"ab{cluster}cd{cluster}ef", columns)
        assert set(kept.replace(cluster, "")) <= set("abcdef…")


@pytest.mark.parametrize(
    ("cluster", "columns"),
    [
        *(("a", 1), ("e\u0301", 1), ("日", 2), ("👩‍💻", 2), ("👍🏽", 2), ("❤️", 2), ("🇫🇷", 2)),
        *(("\u1100\u1161\u11a8", 2), ("क्षि", 3), ("\u0600", 1), ("\u0301", 1)),
    ],
)
def test_a_cluster_takes_so_many_columns(cluster: str, columns: int) -> None:
    assert width(cluster) == columns


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

    assert not any(map(is_hidden, shown))
    assert sum(map(width, clusters(shown))) <= columns
    assert len(shown) <= 4 * columns + 1
    if shown != visible(text):
        assert shown.endswith("…")
        assert visible(text).startswith(shown[:-1])

"""Text is taken apart between characters, never within one."""

import pytest
from hypothesis import given

from protocol.clusters import clusters
from tests.hostile_titles import GRAPHEMES, HOSTILE


@pytest.mark.parametrize("cluster", GRAPHEMES)
def test_a_grapheme_cluster_is_never_split(cluster: str) -> None:
    assert list(clusters(f"a{cluster}b")) == ["a", cluster, "b"]


def test_two_flags_are_two_clusters() -> None:
    assert list(clusters("🇫🇷🇩🇪🇮")) == ["🇫🇷", "🇩🇪", "🇮"]


@given(HOSTILE)
def test_clusters_make_up_the_text(text: str) -> None:
    assert "".join(clusters(text)) == text


def test_hangul_in_parts_is_taken_apart_by_syllables() -> None:
    assert list(clusters("\u1112\u1161\u11ab\u1100\u1173\u11af\uae00\u11a8")) == [
        "\u1112\u1161\u11ab",
        "\u1100\u1173\u11af",
        "\uae00\u11a8",
    ]

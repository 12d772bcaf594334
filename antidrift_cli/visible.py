"""Text from outside made safe for a terminal (`protocol.visible`), and cut to so many columns."""

import unicodedata
from typing import Final

from protocol.clusters import ZWJ, ZWNJ, clusters, is_flag_letter, is_jamo, is_skin_tone
from protocol.visible import visible

__all__ = ["clusters", "columns_of", "cut", "visible", "width"]

_ELLIPSIS: Final = "…"


def cut(text: str, columns: int) -> str:
    """Return visible `text`, shortened with an ellipsis to at most `columns` columns.

    A grapheme cluster is never split. Marks that take no room are limited as well: there are at
    most four times as many characters as columns.
    """
    characters = 4 * columns
    shown = visible(text[: characters + 1])  # which makes no character fewer
    if shown.isascii() and len(shown) <= columns:
        return shown
    kept: list[str] = []
    room = columns
    for cluster in clusters(shown):
        room -= width(cluster)
        characters -= len(cluster)
        if room < 0 or characters < 0:
            return _with_ellipsis(kept, columns)
        kept.append(cluster)
    return shown


def columns_of(text: str) -> int:
    """Return how many columns visible `text` takes on a terminal."""
    return len(text) if text.isascii() else sum(map(width, clusters(text)))


def width(cluster: str) -> int:
    """Return how many columns a grapheme cluster takes on a terminal.

    Letters that a virama ties together are counted each: few terminals draw them as one.
    """
    first = cluster[0]
    if is_flag_letter(first):
        return 2 if len(cluster) > 1 else 1
    if "\ufe0f" in cluster or is_jamo(first) or (ZWJ in cluster and not _is_letter(first)):
        return 2
    return max(1, sum(map(_columns, cluster)))


def _columns(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me"} or char in (ZWJ, ZWNJ) or is_skin_tone(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] == "L"


def _with_ellipsis(kept: list[str], columns: int) -> str:
    room = columns - 1 - sum(map(width, kept))
    while kept and room < 0:
        room += width(kept.pop())
    return "".join(kept).rstrip(ZWNJ + ZWJ) + _ELLIPSIS

"""Text taken apart into what a reader sees as one character each: grapheme clusters.

After Unicode Standard Annex 29, closely enough never to split a cluster.
"""

import unicodedata
from collections.abc import Iterator
from typing import Final

ZWNJ: Final = "\u200c"
ZWJ: Final = "\u200d"

DRAWN_SIGNS: Final = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Classed as controls, yet drawn: the number signs of Arabic, Syriac and Kaithi."""


def clusters(text: str) -> Iterator[str]:
    """Split `text` into what a reader takes for one character each.

    Now and then two are kept together.
    """
    start = 0
    for at in range(1, len(text)):
        if not _joins(text, at, start):
            yield text[start:at]
            start = at
    if text:
        yield text[start:]


def is_skin_tone(char: str) -> bool:
    """Return whether `char` colours the emoji before it."""
    return "\U0001f3fb" <= char <= "\U0001f3ff"


def is_variation(char: str) -> bool:
    """Return whether `char` chooses a form of the one before it."""
    return (
        "\ufe00" <= char <= "\ufe0f"
        or "\U000e0100" <= char <= "\U000e01ef"
        or "\u180b" <= char <= "\u180d"
        or char == "\u180f"
    )


def is_flag_letter(char: str) -> bool:
    """Return whether `char` is one of the two that make a flag."""
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def is_jamo(char: str) -> bool:
    """Return whether `char` is a Hangul syllable or a part of one."""
    return (
        "\u1100" <= char <= "\u11ff" or "\ua960" <= char <= "\ua97c" or "\uac00" <= char <= "\ud7fb"
    )


def _is_leading(char: str) -> bool:
    """Return whether `char` is a consonant that a Hangul syllable begins with."""
    return "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c"


def _joins(text: str, at: int, start: int) -> bool:
    """Return whether the character `at` belongs to the cluster that began at `start`."""
    before, char = text[at - 1], text[at]
    if char in (ZWJ, ZWNJ) or is_variation(char) or is_skin_tone(char):
        return True
    if unicodedata.category(char)[0] == "M":
        return True
    if before == ZWJ or before in DRAWN_SIGNS:
        return True
    if is_flag_letter(char):
        return is_flag_letter(before) and at - start == 1
    if is_jamo(char):
        begins = _is_leading(char) or "\uac00" <= char <= "\ud7a3"
        return _is_leading(before) if begins else is_jamo(before)
    # A virama ties the next letter to the one before it.
    return unicodedata.combining(before) == 9 and unicodedata.category(char) == "Lo"

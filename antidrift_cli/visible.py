r"""Text from outside made safe to show: what can't be seen is written out, as in `\x1b`.

A title is chosen by others. Raw, it could clear the screen, write the clipboard, forge a line or
turn the reading order round (Unicode Technical Report 36, section 3). Every text that reaches a
terminal passes here.
"""

import unicodedata
from collections.abc import Iterator
from typing import Final

ZWNJ: Final = "\u200c"
ZWJ: Final = "\u200d"

_BLANKS: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u2065\u3164\uffa0"
    "\ufff0\ufff1\ufff2\ufff3\ufff4\ufff5\ufff6\ufff7\ufff8"
)
"""Characters that show nothing although Unicode doesn't class them as controls."""

_SIGNS: Final = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Classed as controls, yet drawn: the number signs of Arabic, Syriac and Kaithi."""

_JOINING_SCRIPTS: Final = (
    (0x0600, 0x08FF),  # Arabic, Syriac, Thaana, N'Ko, Mandaic
    (0x0900, 0x0DFF),  # Devanagari to Sinhala
    (0x0F00, 0x109F),  # Tibetan, Myanmar
    (0x1780, 0x18AF),  # Khmer, Mongolian
    (0xFB50, 0xFDFF),  # Arabic presentation forms
    (0xFE70, 0xFEFE),
)
"""Scripts in which a (non-)joiner between two letters changes how they are drawn."""

_ELLIPSIS: Final = "…"


def visible(text: str) -> str:
    """Return `text` on one line, with everything that could deceive or do harm written out."""
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    for at, char in enumerate(text):
        before = text[at - 1] if at else ""
        after = text[at + 1 : at + 2]
        shown.append(char if _is_harmless(char, before, after) else _written_out(char))
    return "".join(shown)


def cut(text: str, columns: int) -> str:
    """Return visible `text`, shortened with an ellipsis to at most `columns` columns.

    A grapheme cluster is never split. Marks that take no room are limited as well: there are at
    most four times as many characters as columns.
    """
    shown = visible(text)
    if shown.isascii() and len(shown) <= columns:
        return shown
    kept: list[str] = []
    room, characters = columns, 4 * columns
    for cluster in clusters(shown):
        room -= width(cluster)
        characters -= len(cluster)
        if room < 0 or characters < 0:
            return _with_ellipsis(kept, columns)
        kept.append(cluster)
    return shown


def clusters(text: str) -> Iterator[str]:
    """Split `text` into what a reader takes for one character each.

    Follows Unicode Standard Annex 29 closely enough never to split a cluster; now and then two
    are kept together.
    """
    start = 0
    for at in range(1, len(text)):
        if not _joins(text, at, start):
            yield text[start:at]
            start = at
    if text:
        yield text[start:]


def width(cluster: str) -> int:
    """Return how many columns a grapheme cluster takes on a terminal."""
    wide = len(cluster) > 1 and ("\ufe0f" in cluster or _is_flag_letter(cluster[1]))
    return 2 if wide or unicodedata.east_asian_width(cluster[0]) in "WF" else 1


def _is_harmless(char: str, before: str, after: str) -> bool:
    if char in (ZWJ, ZWNJ):
        return _joiner_is_needed(char, before, after)
    if _is_variation(char):
        return bool(before) and unicodedata.category(before)[0] in "LNPS"
    if char in _BLANKS or "\U000e0000" <= char <= "\U000e0fff":  # tags, and room for more
        return False
    return unicodedata.category(char) not in {"Cc", "Cf", "Cs"} or char in _SIGNS


def _joiner_is_needed(char: str, before: str, after: str) -> bool:
    if not before or not after:
        return False
    if _is_in_joining_script(before) and _is_in_joining_script(after):
        return True
    return char == ZWJ and _is_emoji_part(before) and _is_emoji_part(after)


def _is_in_joining_script(char: str) -> bool:
    return any(first <= ord(char) <= last for first, last in _JOINING_SCRIPTS)


def _is_emoji_part(char: str) -> bool:
    return unicodedata.category(char) == "So" or _is_skin_tone(char) or char == "\ufe0f"


def _is_skin_tone(char: str) -> bool:
    return "\U0001f3fb" <= char <= "\U0001f3ff"


def _is_variation(char: str) -> bool:
    return (
        "\ufe00" <= char <= "\ufe0f"
        or "\U000e0100" <= char <= "\U000e01ef"
        or "\u180b" <= char <= "\u180d"
        or char == "\u180f"
    )


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_jamo(char: str) -> bool:
    return (
        "\u1100" <= char <= "\u11ff" or "\ua960" <= char <= "\ua97c" or "\uac00" <= char <= "\ud7fb"
    )


def _written_out(char: str) -> str:
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _joins(text: str, at: int, start: int) -> bool:
    """Return whether the character `at` belongs to the cluster that began at `start`."""
    before, char = text[at - 1], text[at]
    if char in (ZWJ, ZWNJ) or _is_variation(char) or _is_skin_tone(char):
        return True
    if unicodedata.category(char)[0] == "M":
        return True
    if before == ZWJ or before in _SIGNS:
        return True
    if _is_flag_letter(char):
        return _is_flag_letter(before) and at - start == 1
    if _is_jamo(char):
        return _is_jamo(before) and not "\uac00" <= char <= "\ud7a3"
    # A virama ties the next letter to the one before it.
    return unicodedata.combining(before) == 9 and unicodedata.category(char) == "Lo"


def _with_ellipsis(kept: list[str], columns: int) -> str:
    room = columns - 1 - sum(map(width, kept))
    while kept and room < 0:
        room += width(kept.pop())
    return "".join(kept).rstrip(ZWNJ + ZWJ) + _ELLIPSIS

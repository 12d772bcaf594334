r"""Text from outside made safe to show: what can't be seen is written out, as in `\x1b`.

A title is chosen by others. Raw, it could clear the screen, write the clipboard, forge a line or
turn the reading order round (Unicode Technical Report 36, section 3). Every text that reaches a
terminal, a notification or a log passes here.
"""

import unicodedata
from typing import Final

from protocol.clusters import (
    DRAWN_SIGNS,
    ZWJ,
    ZWNJ,
    clusters,
    is_skin_tone,
    is_variation,
)

_BLANKS: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u2065\u3164\uffa0"
    "\ufff0\ufff1\ufff2\ufff3\ufff4\ufff5\ufff6\ufff7\ufff8"
)
"""Characters that show nothing although Unicode doesn't class them as controls."""

_JOINING_SCRIPTS: Final = (
    (0x0600, 0x08FF),  # Arabic, Syriac, Thaana, N'Ko, Mandaic
    (0x0900, 0x0DFF),  # Devanagari to Sinhala
    (0x0F00, 0x109F),  # Tibetan, Myanmar
    (0x1780, 0x18AF),  # Khmer, Mongolian
    (0xFB50, 0xFDFF),  # Arabic presentation forms
    (0xFE70, 0xFEFE),
)
"""Scripts in which a (non-)joiner between two letters changes how they are drawn."""


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


def one_line(text: str | bytes, max_chars: int = 200) -> str:
    """Return foreign text on one line, made visible, and shortened to `max_chars`."""
    text = text.decode(errors="replace") if isinstance(text, bytes) else text
    # No character becomes fewer by being made visible.
    return _shortened(visible(" ".join(text.split())[: max_chars + 1]), max_chars)


def _shortened(text: str, max_chars: int) -> str:
    """Return `text`, cut with an ellipsis where a reader sees a new character."""
    if len(text) <= max_chars:
        return text
    end = 0
    for cluster in clusters(text):
        if end + len(cluster) >= max_chars:
            break
        end += len(cluster)
    return text[:end].rstrip() + "…"


def _is_harmless(char: str, before: str, after: str) -> bool:
    if char in (ZWJ, ZWNJ):
        return _joiner_is_needed(char, before, after)
    if is_variation(char):
        return bool(before) and unicodedata.category(before)[0] in "LNPS"
    if char in _BLANKS or "\U000e0000" <= char <= "\U000e0fff":  # tags, and room for more
        return False
    return unicodedata.category(char) not in {"Cc", "Cf", "Cs"} or char in DRAWN_SIGNS


def _joiner_is_needed(char: str, before: str, after: str) -> bool:
    if not before or not after:
        return False
    if _is_in_joining_script(before) and _is_in_joining_script(after):
        return True
    return char == ZWJ and _is_emoji_part(before) and _is_emoji_part(after)


def _is_in_joining_script(char: str) -> bool:
    return any(first <= ord(char) <= last for first, last in _JOINING_SCRIPTS)


def _is_emoji_part(char: str) -> bool:
    return unicodedata.category(char) == "So" or is_skin_tone(char) or char == "\ufe0f"


def _written_out(char: str) -> str:
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"

"""Text from outside, made fit for one line of a message or a log."""

import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"
"""They belong to the spelling of some scripts and to emoji."""


def visible(text: str) -> str:
    """Return `text` with control, format and surrogate characters written as escapes."""
    return "".join(map(_shown, text))


def one_line(text: str | bytes, max_chars: int = 200) -> str:
    """Return foreign text on one line, made visible, cut with an ellipsis at `max_chars`."""
    text = text.decode(errors="replace") if isinstance(text, bytes) else text
    line = visible(" ".join(text.split()))
    return line if len(line) <= max_chars else line[: max_chars - 1] + "…"


def _shown(char: str) -> str:
    if unicodedata.category(char) in _HIDDEN and char not in _JOINERS:
        return char.encode("unicode_escape").decode("ascii")
    return char

"""Tells how much a title is written to be clicked on, or by a person about themselves."""

import re

_MARKS = (
    re.compile("[\U0001f300-\U0001faff\u2764\u2728\u2b50]"),
    re.compile(r"!|\?\?|\u203c|\uff01|\u3010.*\u3011"),
    re.compile(r"\b[A-Z]{4,} [A-Z]{4,}\b"),
    re.compile(
        r"^(?:the )?(?:top )?\d{1,3} (?:\w+ )?\w+(?:s|en|er|es)\b|\btop \d+\b", re.IGNORECASE
    ),
    re.compile(
        r"\b(?:i|i'm|my|we|you|your|ich|mein|meine|wir|du|dein|je|j'ai|mon|ma|mes|tu|yo|mi|mis|me"
        r"|io|mio|eu|meu|ik|mijn|ja|moje|\u044f|\u043c\u043e\u0439)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:which|what|who|guess|how (?:i|we|they)|why (?:i|we|you|nobody|everyone))\b"
        r".*\b(?:you|i|we|are|is|nobody|everyone)\b",
        re.IGNORECASE,
    ),
)


def style_of(text: str) -> int:
    """Return how many marks of that style `text` bears: pictures, exclamations, lists, "my"."""
    return sum(bool(mark.search(text)) for mark in _MARKS)

"""Tells whether a message quotes a text that must not get about."""

import json

_SHORTEST_QUOTE = 16
_STEP = 4


def quotes(message: str, private: str) -> bool:
    """Return whether `message` holds a piece of `private`, as it is or in its JSON form.

    A piece is some twenty letters and digits in a row (all of a shorter text), whatever stands
    between them and in whatever case.
    """
    if not _letters(private):
        return False
    heard = _letters(message)
    return any(_shares(heard, _letters(form)) for form in (private, json.dumps(private)))


def _shares(heard: str, private: str) -> bool:
    last = max(0, len(private) - _SHORTEST_QUOTE)
    pieces = (private[at : at + _SHORTEST_QUOTE] for at in (*range(0, last, _STEP), last))
    return any(piece in heard for piece in pieces)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()

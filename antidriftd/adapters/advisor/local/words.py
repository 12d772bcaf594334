"""Cuts text into words in any script, and says whether two words are forms of one."""

import re
from functools import lru_cache

from antidriftd.adapters.advisor.local.folding import fold, is_unspaced

_RUN = re.compile(r"[^\W_]+(?:[+#]{1,2}(?!\w))?(?:['\u2019][^\W\d_]+)?")
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_]{3})(?=\d)")
_IDENTIFIER = re.compile(r"\b([A-Za-z]{2,10})[-_ ]?(\d{1,6})\b")
_TICKET = re.compile(r"\b[A-Z][A-Z\d]{1,9}-\d{1,6}\b|#\d{2,6}\b")
_NUMBER = re.compile(r"\d{2,}")
_MAX_CHARS = 600

_SHORTEST_STEM = 4


@lru_cache(maxsize=1024)
def words_of(text: str) -> tuple[str, ...]:
    """Return the folded words of `text` in order, each once; unspaced runs as pairs of letters."""
    found: dict[str, None] = {}
    for run in _RUN.findall(text[:_MAX_CHARS]):
        folded = fold(run)
        if is_unspaced(folded):
            found.update(dict.fromkeys(_pairs(folded)))
            continue
        for piece in _HUMP.split(run) if not run.islower() else (run,):
            word = fold(piece).replace("\u2019", "'").removesuffix("'s")
            if len(word) > 1:
                found[word] = None
    return tuple(found)


def unspaced_runs(text: str) -> list[str]:
    """Return the folded runs of letters of `text` in scripts that don't space their words."""
    return [folded for run in _RUN.findall(text[:_MAX_CHARS]) if is_unspaced(folded := fold(run))]


def identifiers_of(text: str) -> frozenset[tuple[str, str]]:
    """Return what `text` names by a short word and a number: ("auth", "219"), ("pr", "482")."""
    return frozenset((word.lower(), number) for word, number in _IDENTIFIER.findall(text))


def tickets_of(text: str) -> frozenset[str]:
    """Return what `text` names in the way of trackers: AUTH-219, #482."""
    return frozenset(_TICKET.findall(text))


def without_tickets(text: str) -> str:
    """Return `text` without what `tickets_of` finds."""
    return _TICKET.sub(" ", text)


def numbers_of(text: str) -> frozenset[str]:
    """Return the numbers of two and more digits in `text`."""
    return frozenset(_NUMBER.findall(text))


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


@lru_cache(maxsize=8192)
def likeness(one: str, other: str, endings: frozenset[str]) -> float:
    """Return how surely two folded words are one: 1 equal, 0 not at all.

    Forms of a word, by `endings`, and compounds are between.
    """
    if one == other:
        return 1.0
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(short) < _SHORTEST_STEM:
        # Plurals of short words only: "tax", "taxes".
        return 0.9 if len(short) == 3 and long in {f"{short}s", f"{short}es"} else 0.0
    if short[:_SHORTEST_STEM] == long[:_SHORTEST_STEM]:
        shared = _shared(short, long)
        if shared * 2 >= len(long) and {short[shared:], long[shared:]} <= endings:
            return 0.9
    if len(short) >= 5 and (long.startswith(short) or long.endswith(short)):
        return 0.6  # a compound: "rechnung" in "rechnungsnummer"
    return 0.0


def _shared(one: str, other: str) -> int:
    for at, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return at
    return min(len(one), len(other))

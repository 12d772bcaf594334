"""Takes out of a title what is said to a judge rather than to a reader."""

import logging
import re
from collections.abc import Iterable

from protocol.visible import one_line

_log = logging.getLogger(__name__)

_PART_ENDS = re.compile(r" [-\u2013\u2014|/\u00b7\u2022:] |\|")
_OPENERS = {
    "[": "]",
    "(": ")",
    "{": "}",
    '"': '"',
    "\u201c": "\u201d",
    "\u201e": "\u201c",
    "<": ">",
}
_NOTHING = "(?!)"


def compile_injections(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return one pattern of many; one that can't be used is logged and left out."""
    good = []
    for text in patterns:
        try:
            says_nothing = re.compile(text).match("")
        except re.error as error:
            _log.warning("injections.txt: %s in a pattern: %s", error, one_line(text, 60))
            continue
        if says_nothing:
            _log.warning("injections.txt: a pattern of nothing: %s", one_line(text, 60))
            continue
        good.append(text)
    return re.compile("|".join(f"(?:{text})" for text in good) or _NOTHING, re.IGNORECASE)


def without_injections(title: str, injections: re.Pattern[str]) -> str:
    """Return `title` without what addresses a judge.

    From where it begins, the rest of that part of the title goes too, and a bracket or a quotation
    that holds it goes as a whole: what stands there was written to be believed.
    """
    # A user's pattern may look ahead and match nothing; that would be found again for ever.
    while found := next((each for each in injections.finditer(title) if each[0]), None):
        begin, end = _held_by(title, found.start()) or (
            found.start(),
            _part_end(title, found.end()),
        )
        rest = title[max(end, found.end()) :]
        shorter = f"{title[:begin]} {rest}"
        title = shorter if len(shorter) < len(title) else f"{title[:begin]}{rest}"
    return title


def _held_by(title: str, at: int) -> tuple[int, int] | None:
    """Return where the bracket or quotation around `at` begins and ends, if it is closed."""
    for begin in range(min(at, len(title) - 1), -1, -1):
        closing = _OPENERS.get(title[begin])
        if closing is None or closing in title[begin + 1 : at]:
            continue
        end = title.find(closing, max(at, begin + 1))
        return (begin, end + 1) if end >= 0 else None
    return None


def _part_end(title: str, at: int) -> int:
    found = _PART_ENDS.search(title, at)
    return found.start() if found else len(title)

"""Page titles and cache keys: what makes two sightings of a program the same thing."""

import re
from functools import lru_cache
from typing import NamedTuple

from antidriftd.core.model import Window
from antidriftd.core.rules import Rules

# What programs put around a title and change by themselves: bullets and "modified" marks,
# spinner frames (braille, Claude Code's stars, circles, clocks and moons), counters and
# percentages. manaflow-ai/cmux PR#5118 and anthropics/claude-code#60921 show what happens to
# an observer that takes each frame for news.
_GLYPH = (
    "[\u2800-\u28ff\u2022\u2023\u25a0-\u25ff\u2219\u22c5\u00b7*\u2217\u2605\u2606\u2720-\u274b"
    "\u23f3\u231b\u23f4-\u23fa\u26aa\u26ab\U0001f311-\U0001f318\U0001f534-\U0001f535"
    "\U0001f550-\U0001f567\U0001f7e0-\U0001f7e6\U0001f507-\U0001f50a\U0001f514\ufe0f]"
)
_SEPARATOR = "[-\u2013\u2014|/\\\\:\u00b7\u2022]"


def _decoration(counter: str, percent: str) -> re.Pattern[str]:
    return re.compile(rf"\A(?: |{_GLYPH}|{counter}|(?:{percent}|{_SEPARATOR})(?= |$))++")


_LEADING = _decoration(r"[\[(](?:\d{1,4}\+?|\d{1,3} ?%)[\])]", r"\d{1,3}%")
# Written backwards and matched on the reversed title, so that a hostile one costs no more than
# its length. A year in brackets belongs to a title ("Dune (2021)"), a short number is a counter.
_TRAILING = _decoration(r"[\])](?:\+?\d{1,3}|% ?\d{1,3})[\[(]", r"%\d{1,3}")
_NAME_ENDS_HERE = re.compile(rf"{_SEPARATOR} ?$")
_NAME_BEGINS_HERE = re.compile(rf" ?{_SEPARATOR} ")


class Key(NamedTuple):
    """What a verdict is about: a program, or one page of a many-faced one (else `page` is None)."""

    program: str
    page: str | None = None


def fold(text: str) -> str:
    """Return `text` with white space and case folded."""
    return " ".join(text.split()).casefold()


@lru_cache(maxsize=256)
def normalise_title(title: str, own_names: tuple[str, ...] = ()) -> str:
    """Return `title` without decoration and the program's own (folded) names at its ends, folded.

    The result is empty when nothing else is there. A name counts only behind a separator:
    "How to update Firefox" keeps its last word.
    """
    text = fold(title)
    while text:
        stripped = _strip_names(_strip_decoration(text), own_names)
        if stripped == text:
            break
        text = stripped
    return text


def _strip_decoration(text: str) -> str:
    backwards = _LEADING.sub("", text)[::-1]
    return _TRAILING.sub("", backwards)[::-1]


def _strip_names(text: str, own_names: tuple[str, ...]) -> str:
    for name in own_names:
        if text == name:
            return ""
        if text.endswith(name) and _NAME_ENDS_HERE.search(text[: -len(name)]):
            return text[: -len(name)]
        if text.startswith(name) and _NAME_BEGINS_HERE.match(text, len(name)):
            return text[len(name) :]
    return text


def page_of(window: Window, rules: Rules) -> str | None:
    """Return the normalised title when the window's program is many-faced, else None."""
    names = rules.many_faced.get(window.window_class.strip().casefold())
    return None if names is None else normalise_title(window.title, names)


def key_of(window: Window, rules: Rules) -> Key:
    """Return the key under which a verdict on this window is kept."""
    program = window.window_class.strip().casefold() or fold(window.title)
    return Key(program, page_of(window, rules))

"""Text and bars that fit a terminal: how wide they are, and which characters it can show."""

import locale
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from antidrift_cli.visible import columns_of, cut, visible
from protocol.views import EvidenceStatus

_BLOCKS: Final[Mapping[EvidenceStatus, str]] = MappingProxyType(
    {"ontask": "█", "drift": "▒", "unjudged": "░", "away": "·"}
)
_ASCII_BLOCKS: Final[Mapping[EvidenceStatus, str]] = MappingProxyType(
    {"ontask": "#", "drift": "!", "unjudged": "-", "away": "."}
)

_MOST_PER_COLUMN: Final = 4
"""How many characters `cut` takes for each column; no more of a text need be looked at."""


def shows_unicode() -> bool:
    """Return whether the locale's characters are those of Unicode, as UTF-8 has them all."""
    return locale.getencoding().upper() in ("UTF-8", "UTF8")


@dataclass(frozen=True, slots=True)
class Look:
    """What a terminal of `columns` columns can show: only ASCII, unless it is `unicode`."""

    columns: int
    unicode: bool

    def fit(self, text: str, columns: int) -> str:
        """Return `text`, visible and on one line of at most `columns` columns."""
        if columns < 1:
            return ""
        text = text[: _MOST_PER_COLUMN * columns + 1]
        if self.unicode:
            return cut(text, columns)
        return cut(_in_ascii(text), columns).replace("…", "~")

    def wrap(self, text: str, columns: int, at_most: int) -> list[str]:
        """Return `text` on lines of at most `columns`, at least one and at most `at_most`.

        What needs more is cut.
        """
        lines: list[str] = []
        text = text[: _MOST_PER_COLUMN * columns * (at_most + 1)]
        words = (visible(text) if self.unicode else _in_ascii(text)).split()
        while words and len(lines) < at_most - 1:
            taken = self._words_that_fit(words, columns)
            lines.append(self.fit(" ".join(words[:taken]), columns))
            del words[:taken]
        return [*lines, self.fit(" ".join(words), columns)] if words or not lines else lines

    @property
    def track(self) -> str:
        """Return what the empty part of a bar is made of."""
        return "─" if self.unicode else "."

    def bar(self, share: float, columns: int, status: EvidenceStatus = "ontask") -> str:
        """Return a bar filled to `share` (0 to 1) in the pattern of `status`.

        It is never empty for a share above nothing.
        """
        share = min(1.0, max(0.0, share))
        filled = max(round(share * columns), 1 if share else 0)
        blocks = _BLOCKS if self.unicode else _ASCII_BLOCKS
        return blocks[status] * min(filled, columns)

    def _words_that_fit(self, words: list[str], columns: int) -> int:
        room = columns
        for taken, word in enumerate(words):
            room -= columns_of(word)
            if room < 0:
                return max(1, taken)
            room -= 1
        return len(words)


def _in_ascii(text: str) -> str:
    return visible(text).encode("ascii", "backslashreplace").decode()

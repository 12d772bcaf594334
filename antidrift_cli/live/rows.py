"""Rows of the view, and which of them stay when there is little room."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.text import Text

from antidrift_cli.live.look import Look
from antidrift_cli.visible import columns_of

SPARE: Final = 20
"""From this rank on a row may go before a text is cut to one row."""

BLANK: Final = 50
"""The rank of empty rows, the first to go."""

Part = tuple[str, str]
"""Words and their style."""


class Row(NamedTuple):
    """One row; the lower its rank, the longer it stays."""

    text: Text
    rank: int


@dataclass(frozen=True, slots=True)
class Paper:
    """What rows are written on: so wide, and a text may take `wraps` rows."""

    look: Look
    wraps: int

    def row(self, rank: int, *parts: Part) -> Row:
        """Return a row of `parts`, one after the other, cut where the terminal ends."""
        text = Text(no_wrap=True, overflow="crop", end="")
        room = self.look.columns
        for words, style in parts:
            shown = self.look.fit(words, room)
            room -= columns_of(shown)
            text.append(shown, style)
        return Row(text, rank)

    def paragraph(self, rank: int, words: str, style: str = "") -> list[Row]:
        """Return `words` on as many rows as they need and may take, the later ones set in."""
        look = self.look
        if self.wraps == 1 or look.fit(words, look.columns) == look.fit(words, 2 * look.columns):
            return [self.row(rank, (words, style))]
        indent = " " * (len(words) - len(words.lstrip()))
        lines = look.wrap(words, max(1, look.columns - len(indent) - 2), self.wraps)
        later = [f"{indent}  {line}" for line in lines[1:]]
        return [self.row(rank, (line, style)) for line in [f"{indent}{lines[0]}", *later]]


def blank() -> Row:
    """Return an empty row."""
    return Row(Text(end=""), BLANK)


def crowded(rows: list[Row], height: int) -> bool:
    """Return whether rows that matter would have to go."""
    return sum(row.rank < SPARE for row in rows) > height


def fitted(rows: list[Row], height: int) -> list[Text]:
    """Return the rows that matter most, at most `height`, in their order."""
    by_rank = sorted(range(len(rows)), key=lambda at: (rows[at].rank, at))
    return [rows[at].text for at in sorted(by_rank[:height])]

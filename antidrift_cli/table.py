"""Tables for a person: each column as wide as its widest cell is on a terminal."""

from collections.abc import Sequence

from antidrift_cli.visible import columns_of


def table_lines(rows: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """Return a line for each of the `rows`; cells are visible text.

    `right` says of each column whether its cells stand at its right.
    """
    widths = [max(map(columns_of, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            pad(cell, width, right=at_right)
            for cell, width, at_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    ]


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Return visible `text` filled up with blanks to so many columns, from the left if `right`."""
    blanks = " " * (columns - columns_of(text))
    return f"{blanks}{text}" if right else f"{text}{blanks}"

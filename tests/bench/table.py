"""The rows as a table, printed one by one as they are found."""

from tests.bench.rows import Row

HEADINGS = ("row", "median", "p99", "held against", "", "ratio", "limit", "holds")
_WIDTHS = (58, 13, 9, 36, 9, 8, 9, 5)


def heading() -> str:
    """Return the first two lines."""
    return f"{_line(HEADINGS)}\n{_line(['-' * width for width in _WIDTHS])}"


def line(row: Row) -> str:
    """Return a row."""
    limits = [(row.at_most, "<="), (row.at_least, ">=")]
    limit = " ".join(f"{sign} {_number(value)}" for value, sign in limits if value is not None)
    return _line(
        (
            row.name,
            f"{_number(row.median)} {row.unit}",
            "" if row.p99 is None else _number(row.p99),
            row.against,
            _number(row.reference) if row.reference else "",
            "" if row.ratio is None else _number(row.ratio),
            limit,
            ("yes" if row.holds else "NO") if limit else "",
        )
    )


def _line(cells: tuple[str, ...] | list[str]) -> str:
    padded = [
        cell.rjust(width) if at in {1, 2, 4, 5} else cell.ljust(width)
        for at, (cell, width) in enumerate(zip(cells, _WIDTHS, strict=True))
    ]
    return "  ".join(padded).rstrip()


def _number(value: float) -> str:
    """Return three significant digits, and no exponent."""
    if value >= 100:
        return f"{value:,.0f}"
    # Beyond this Python's own short form turns to exponents.
    return f"{value:.3g}" if value >= 0.0001 or value == 0 else f"{value:.5f}"

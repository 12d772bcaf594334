"""A figure holds or it doesn't, and the table says so."""

import pytest

from tests.bench import table
from tests.bench.rows import Row, median, p99


def a_row(
    *, figure: float = 3.0, at_most: float | None = None, at_least: float | None = None
) -> Row:
    return Row(
        name="a row",
        unit="ms",
        median=figure,
        against="a peer",
        reference=2.0,
        at_most=at_most,
        at_least=at_least,
    )


@pytest.mark.parametrize(
    ("row", "holds"),
    [
        (a_row(), True),
        (a_row(at_most=1.5), True),
        (a_row(at_most=1.4), False),
        (a_row(at_least=1.5), True),
        (a_row(at_least=1.6), False),
        (a_row(figure=0.0, at_most=0.0), True),
        (a_row(figure=1.0, at_most=0.0), False),
        (Row(name="alone", unit="ms", median=1.0), True),
        (Row(name="nothing to be held against", unit="ms", median=1.0, at_most=1.0), False),
    ],
)
def test_a_row_holds_within_its_limits_only(row: Row, *, holds: bool) -> None:
    assert row.holds is holds


def test_the_table_tells_which_rows_hold() -> None:
    assert table.line(a_row(at_most=1.5)).endswith("<= 1.5     yes")
    assert table.line(a_row(at_most=1.4)).endswith("<= 1.4     NO")
    assert table.line(a_row()).endswith("1.5")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0 ms"),
        (0.00004, "0.00004 ms"),
        (0.01234, "0.0123 ms"),
        (12.34, "12.3 ms"),
        (54321.0, "54,321 ms"),
    ],
)
def test_a_figure_is_shown_with_three_digits_and_no_exponent(value: float, text: str) -> None:
    assert f" {text}" in table.line(Row(name="a row", unit="ms", median=value))


def test_the_spread_of_samples() -> None:
    samples = [float(number) for number in range(1, 201)]

    assert median(samples) == 100.5
    assert p99(samples) == 198.0
    assert p99([7.0]) == 7.0

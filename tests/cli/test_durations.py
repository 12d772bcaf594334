"""Lengths of time: what is understood, what is refused, and how they are shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidrift_cli.durations import format_secs, parse_secs


@pytest.mark.parametrize(
    ("text", "secs"),
    [
        ("25", 1500),
        ("25m", 1500),
        ("90s", 90),
        ("1h30m", 5400),
        ("2h", 7200),
        ("1h1m1s", 3661),
        ("1h5s", 3605),
        ("0h1s", 1),
        ("1s", 1),
        ("24h", 86_400),
        ("1440", 86_400),
    ],
)
def test_a_length_of_time_is_understood(text: str, secs: int) -> None:
    assert parse_secs(text) == secs


@pytest.mark.parametrize(
    "text",
    ["", " ", "1x", "-5", "+5", "m", "1.5h", "1h 30m", "m1", "1m1h", "25min", "1e3", "²", "٢٥"],
)
def test_what_is_no_length_of_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no length of time: write 25"):
        parse_secs(text)


@pytest.mark.parametrize("text", ["0", "0s", "0h0m0s", "1441", "24h1s", "25h", "999999h"])
def test_a_length_of_time_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="from 1s to 24h"):
        parse_secs(text)


@given(st.text())
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        secs = parse_secs(text)
    except ValueError:
        return
    assert 1 <= secs <= 86_400


@pytest.mark.parametrize(
    ("secs", "text"),
    [
        (0, "0s"),
        (0.4, "0s"),
        (-3, "0s"),
        (45, "45s"),
        (59.7, "1m"),
        (270, "4m 30s"),
        (1500, "25m"),
        (3600, "1h"),
        (3905, "1h 05m"),
        (90_000, "25h"),
    ],
)
def test_a_length_of_time_is_shown_in_two_units(secs: float, text: str) -> None:
    assert format_secs(secs) == text

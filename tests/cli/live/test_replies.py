"""What a key has done, in a line."""

import pytest
from msgspec.structs import replace

from antidrift_cli.live.keys import Order, order_for
from antidrift_cli.live.replies import done_line
from protocol import views
from tests.cli.samples import (
    ACTIVE,
    ADDED,
    BACK,
    DRIFTING,
    IDLE,
    IN_TERMINAL,
    PAUSED,
    RESUMED,
    TEN_PAST,
    allowing,
)


def done(key: str, before: views.State, after: views.State) -> str:
    """Return what is said once the order of `key` is carried out."""
    order = order_for(key, before, TEN_PAST.timestamp() + 720)
    assert isinstance(order, Order)
    return done_line(order, before, after)


def test_an_allowance_is_named_with_what_undoes_it() -> None:
    line = done("o", DRIFTING, allowing(DRIFTING, classes=("firefox",)))

    assert line == "on task: class firefox is allowed; undo: antidrift disallow"
    assert "already" in done("o", ACTIVE, ACTIVE)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (DRIFTING, "the drift is cleared"),
        (IN_TERMINAL, "the drift is cleared"),
        (replace(ACTIVE, drift=views.Drift(status="pending")), "the drift is cleared"),
        (ACTIVE, "no drift was open"),
        (IDLE, "no drift was open"),
    ],
)
def test_refocus_says_whether_there_was_a_drift(before: views.State, expected: str) -> None:
    assert done("r", before, ACTIVE) == expected


def test_more_time_says_until_when() -> None:
    assert done("+", ACTIVE, ACTIVE).startswith("extended by 5m: 15m left, until ")
    assert done("a", BACK, ADDED).startswith("extended by 12m away: 15m left, until ")


def test_a_pause_says_since_when_and_what_goes_on() -> None:
    since = TEN_PAST.astimezone().strftime("%H:%M")

    assert done("p", ACTIVE, PAUSED) == f"paused since {since}; p goes on"
    assert done("p", PAUSED, RESUMED).startswith("on again after a pause of 12m: 15m left, until ")


def test_an_end_says_so() -> None:
    assert done("c", ACTIVE, ACTIVE) == "the session is over"

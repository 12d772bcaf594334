"""Keys told apart from what terminals send besides."""

import pytest
from msgspec.structs import replace

from antidrift_cli.live.keys import Keyboard, offered, order_for
from protocol.methods import ExtendParams, NoParams
from protocol.views import Absence, State
from tests.cli.samples import (
    ACTIVE,
    ADDED,
    AWAY,
    BACK,
    IDLE,
    PAUSED,
    PLANNING,
    RESUMED,
    REVIEW,
    TEN_PAST,
)

ON_RETURN = TEN_PAST.timestamp() + 720


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"o", "o"),
        (b"+q", "+q"),
        (b"\x1b[A", ""),
        (b"\x1bOq", ""),
        (b"\x1bq", ""),
        (b"\x1b[1;5Co", "o"),
        (b"\x1b", ""),
        ("ö".encode(), ""),
        (b"\xff", ""),
        (b"\x1b[200~complete\x1b[201~r", "r"),
    ],
    ids=repr,
)
def test_only_keys_that_were_pressed_count(data: bytes, keys: str) -> None:
    assert Keyboard().pressed(data) == keys


def test_a_paste_that_comes_in_pieces_gives_no_orders() -> None:
    keyboard = Keyboard()

    pressed = [keyboard.pressed(each) for each in (b"r\x1b[200~co", b"q", b"c\x1b[201~+")]

    assert pressed == ["r", "", "+"]


def test_plus_gives_five_minutes() -> None:
    assert order_for("+", ACTIVE, ON_RETURN) == ("extend", ExtendParams(secs=300))


def test_p_pauses_and_in_a_pause_goes_on() -> None:
    assert order_for("p", ACTIVE, ON_RETURN) == ("pause", NoParams())
    assert order_for("p", PAUSED, ON_RETURN) == ("resume", NoParams())
    assert "p pause" in offered(ACTIVE, ON_RETURN)
    assert offered(PAUSED, ON_RETURN)[0] == "p resume"


def test_an_absence_that_is_just_over_can_be_added_with_a() -> None:
    assert order_for("a", BACK, ON_RETURN + 299) == ("extend", ExtendParams(away=True))
    assert offered(BACK, ON_RETURN + 299)[0] == "a add 12m away"


@pytest.mark.parametrize(
    ("state", "after_secs"),
    [
        (ACTIVE, 0),
        (ADDED, 0),
        (RESUMED, 0),
        (BACK, 300),
        (replace(BACK, away=AWAY.away), 0),
        (replace(BACK, absence=Absence(reason="idle", since=TEN_PAST, secs=59.0)), -661),
    ],
    ids=["none", "added", "a pause", "long ago", "away again", "short"],
)
def test_another_absence_cannot_and_a_does_nothing(state: State, after_secs: float) -> None:
    assert order_for("a", state, ON_RETURN + after_secs) is None
    assert not any(each.startswith("a ") for each in offered(state, ON_RETURN + after_secs))


def test_a_key_of_no_meaning_asks_for_nothing() -> None:
    assert order_for("x", ACTIVE, ON_RETURN) is None


@pytest.mark.parametrize(
    ("state", "has"), [(IDLE, "plan"), (PLANNING, "start"), (REVIEW, "review"), (ACTIVE, "o on")]
)
def test_each_phase_offers_what_makes_sense_in_it(state: State, has: str) -> None:
    shown = offered(state, ON_RETURN)

    assert has in shown[0] or f"antidrift {has}" in shown[0]
    assert shown[-1] == "q quit"
    assert ("c complete" in shown) == (state is ACTIVE)

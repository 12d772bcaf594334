"""Keys told apart from what terminals send besides."""

import pytest

from antidrift_cli.live.keys import ORDERS, Keyboard, offered
from protocol.methods import ExtendParams
from protocol.views import State
from tests.cli.samples import ACTIVE, IDLE, PLANNING, REVIEW


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
    assert ORDERS["+"] == ("extend", ExtendParams(secs=300))


@pytest.mark.parametrize(
    ("state", "has"), [(IDLE, "plan"), (PLANNING, "start"), (REVIEW, "review"), (ACTIVE, "o on")]
)
def test_each_phase_offers_what_makes_sense_in_it(state: State, has: str) -> None:
    shown = offered(state)

    assert has in shown[0] or f"antidrift {has}" in shown[0]
    assert shown[-1] == "q quit"
    assert ("c complete" in shown) == (state is ACTIVE)

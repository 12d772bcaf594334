"""What one look at a window tells the rules."""

import pytest

from antidriftd.core.drift.sight import look
from antidriftd.core.model import Window
from tests.builders import RULES, allowing


@pytest.mark.parametrize(
    "window",
    [
        Window("", ""),
        Window("  ", " \t"),
        Window("firefox", ""),
        Window("firefox", "Mozilla Firefox"),
        Window("firefox", "(3) — Mozilla Firefox"),
        Window("firefox", "New Tab — Mozilla Firefox"),
        Window("kitty", "⠋"),
        Window("Rofi", "run"),
        Window(" Pinentry ", "Unlock"),
        Window("kitty", "antidrift watch"),
        Window("kitty", " Antidrift"),
    ],
)
def test_a_window_that_says_nothing_is_nothing_to_judge(window: Window) -> None:
    assert look(window, RULES, (), ()).nothing_to_judge


@pytest.mark.parametrize(
    "window",
    [
        Window("", "A Game"),
        Window("Mail", "mutt", "rofi"),
        Window("steam", ""),
        Window("firefox", "Cats"),
        Window("firefox", "antidrift watch"),
        Window("gimp", "New Tab"),
        Window("kitty", "antidrifting"),
        Window("kitty", "vim antidrift.py"),
    ],
)
def test_a_window_that_says_something_is_judged(window: Window) -> None:
    assert not look(window, RULES, (), ()).nothing_to_judge


def test_a_terminal_is_known_by_its_class_alone() -> None:
    assert look(Window("XTerm", "vim"), RULES, (), ()).terminal
    assert not look(Window("Mail", "mutt", "xterm"), RULES, (), ()).terminal


def test_an_allowed_window_is_seen_as_such() -> None:
    assert look(Window("gimp", ""), RULES, allowing("gimp"), ()).allowed
    assert look(Window("firefox", "(1) Cats"), RULES, allowing(titles=("=cats",)), ()).allowed
    assert not look(Window("gimp", ""), RULES, allowing("code"), ()).allowed

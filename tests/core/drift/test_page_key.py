"""What counts as the same page, and what is only decoration."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from antidriftd.core.drift.page_key import Key, key_of, normalise_title
from antidriftd.core.model import Window
from tests.builders import RULES

NAMES = ("mozilla firefox", "firefox")
MARKS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏✳✶✻●○◐◓•·*[](){}-—|/\\:%+0123456789 \t\n"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Pull Requests", "pull requests"),
        ("  Pull \t Requests\n", "pull requests"),
        ("Straße", "strasse"),
        ("", ""),
        ("   ", ""),
        # The program's own name.
        ("Inbox — Mozilla Firefox", "inbox"),
        ("Inbox - Mozilla Firefox", "inbox"),
        ("Firefox: Inbox", "inbox"),
        ("Firefox | Inbox - Mozilla Firefox", "inbox"),
        ("Mozilla Firefox", ""),
        (" — Mozilla Firefox", ""),
        ("How to update Firefox", "how to update firefox"),
        ("Firefox tips and tricks", "firefox tips and tricks"),
        ("I left Firefox — here is why — Mozilla Firefox", "i left firefox — here is why"),
        # Counters and percentages.
        ("(3) Inbox", "inbox"),
        ("[12] Inbox", "inbox"),
        ("(99+) Inbox", "inbox"),
        ("Inbox (3)", "inbox"),
        ("Inbox [12]", "inbox"),
        ("Inbox (99+)", "inbox"),
        ("(12%) big.iso", "big.iso"),
        ("12% - big.iso", "big.iso"),
        ("big.iso - 12%", "big.iso"),
        ("(1) (2) Inbox", "inbox"),
        ("Dune (2021)", "dune (2021)"),
        ("Top 10 Films", "top 10 films"),
        ("1984", "1984"),
        ("100 Years of Solitude", "100 years of solitude"),
        # Bullets, "modified" marks and spinners.
        ("• notes.md", "notes.md"),
        ("● notes.md", "notes.md"),
        ("notes.md *", "notes.md"),
        ("*notes.md", "notes.md"),
        ("⠋ building", "building"),
        ("✳ Fix the bug", "fix the bug"),
        ("building ⠋", "building"),
        ("| building", "building"),
        ("/ building", "building"),
        ("🔊 Song", "song"),
        ("⠋ (3) • Inbox — Mozilla Firefox", "inbox"),
        # What is inside stays.
        ("a - b", "a - b"),
        ("a • b", "a • b"),
        ("GitHub (3) open", "github (3) open"),
        ("/home/me: make", "/home/me: make"),
        ("-v is for verbose", "-v is for verbose"),
        ("~/src/antidrift", "~/src/antidrift"),
        ("C++", "c++"),
    ],
)
def test_a_title_is_normalised(title: str, expected: str) -> None:
    assert normalise_title(title, NAMES) == expected


def test_every_frame_of_a_spinner_is_the_same_title() -> None:
    frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏✳✶✻✽✢·◐◓◑◒◴◷◶◵🌑🌒🌓🕐🕑|/-\\"

    assert {normalise_title(f"{frame} building") for frame in frames} == {"building"}


@given(st.one_of(st.text(), st.text(MARKS), st.text(MARKS + "abfirefox")))
@example("İ")
@example("ǰ ΐ - firefox")
@example("\udc80")
def test_normalising_twice_changes_nothing_more_and_costs_no_length(title: str) -> None:
    once = normalise_title(title, NAMES)

    assert normalise_title(once, NAMES) == once
    # Casefolding may make three characters of one ("ΐ").
    assert len(once) <= 3 * len(title)


@given(st.text("ab", min_size=1), st.text("⠋⠙•●✳ ("), st.text("⠋⠙•●✳ )"))
def test_decoration_at_the_ends_makes_no_other_page(title: str, before: str, after: str) -> None:
    spaced = f"{before.replace('(', '(1) ')} {title} {after.replace(')', '(1) ')}"

    assert normalise_title(spaced) == title


@given(st.lists(st.text("abcdef", min_size=1), min_size=1), st.sampled_from([" ", " - ", " • "]))
def test_nothing_inside_a_title_is_lost(words: list[str], between: str) -> None:
    title = between.join(words)

    assert normalise_title(title) == title


def test_a_many_faced_program_has_a_key_for_each_page() -> None:
    inbox = Window("Firefox", "(3) Inbox — Mozilla Firefox")

    assert key_of(inbox, RULES) == Key("firefox", "inbox")
    assert key_of(inbox, RULES) == key_of(Window("firefox", "inbox"), RULES)
    assert key_of(inbox, RULES) != key_of(Window("firefox", "Cats"), RULES)
    assert key_of(inbox, RULES) != key_of(Window("chromium", "Inbox"), RULES)


def test_another_program_has_one_key_whatever_its_title() -> None:
    assert key_of(Window(" GIMP ", "a.png"), RULES) == Key("gimp")
    assert key_of(Window("gimp", "b.png"), RULES) == Key("gimp")


def test_a_window_without_a_class_has_its_title_for_a_key() -> None:
    assert key_of(Window("", "Some  Game"), RULES) == Key("some game")
    assert key_of(Window("  ", ""), RULES) == Key("")


def test_only_a_many_faced_program_has_pages() -> None:
    assert key_of(Window("firefox", "Cats — Mozilla Firefox"), RULES).page == "cats"
    assert key_of(Window("firefox", "Mozilla Firefox"), RULES).page == ""
    assert key_of(Window("gimp", "Cats"), RULES).page is None

"""The words of a notification: what it says, and that no title can say more."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.notifications.text import text_of
from antidriftd.core.model import Notification, Window
from tests.adapters.notifications.notified import drift, long_pause, time_is_up

ACTIONS = {"actions", "body", "body-markup"}
ANYTHING = st.text(st.characters(codec=None), max_size=400)


def test_a_drift_with_buttons_also_names_the_commands() -> None:
    text = text_of(drift(), ACTIONS)

    assert text.summary == "Back to “write the report”?"
    assert text.body == ("firefox: cats\nnot work\nor type: antidrift refocus · ontask · complete")
    assert text.actions == (
        *("refocus", "Back to task"),
        *("ontask", "This is on task"),
        *("complete", "End session"),
    )


def test_a_drift_without_buttons_gives_each_command_a_line() -> None:
    text = text_of(drift(), {"body"})

    assert text.actions == ()
    assert text.body.splitlines() == [
        "firefox: cats",
        "not work",
        "Back to task: antidrift refocus",
        "This is on task: antidrift ontask",
        "End session: antidrift complete",
    ]


def test_a_timebox_that_ran_out_offers_more_time_or_the_end() -> None:
    text = text_of(time_is_up(), ACTIONS)

    assert text.summary == "Time is up: write the report"
    assert text.body == "or type: antidrift extend 5m · complete"
    assert text.actions == ("extend", "5 more minutes", "complete", "End session")
    assert text_of(time_is_up(), {"body"}).body.splitlines() == [
        "5 more minutes: antidrift extend 5m",
        "End session: antidrift complete",
    ]


def test_a_long_pause_offers_to_go_on_or_the_end() -> None:
    text = text_of(long_pause(), ACTIONS)

    assert text.summary == "Still paused: write the report"
    assert text.body == "or type: antidrift resume · complete"
    assert text.actions == ("resume", "Go on", "complete", "End session")
    assert text_of(long_pause(), {"body"}).body.splitlines() == [
        "Go on: antidrift resume",
        "End session: antidrift complete",
    ]


@pytest.mark.parametrize(
    ("window_class", "title", "line"),
    [("", "cats", "cats"), ("firefox", "", "firefox"), ("a", " b\n\tc ", "a: b c")],
)
def test_a_window_is_named_by_what_there_is(window_class: str, title: str, line: str) -> None:
    assert text_of(drift(title=title, window_class=window_class), ACTIONS).body.startswith(
        f"{line}\nnot work\n"
    )


def test_without_window_and_reason_only_the_commands_are_left() -> None:
    assert text_of(drift(title="", window_class="", reason=""), ACTIONS).body.count("\n") == 0


@pytest.mark.parametrize("capabilities", [ACTIONS, {"body", "body-markup"}])
def test_markup_in_a_title_is_shown_as_it_is_written(capabilities: set[str]) -> None:
    hostile = "<b>&amp; \"<img src='http://x/'>"

    body = text_of(drift(title=hostile, reason=hostile), capabilities).body

    assert body.count("&lt;b&gt;&amp;amp; &quot;&lt;img src='http://x/'&gt;") == 2


def test_without_markup_nothing_is_escaped_and_there_are_no_tags_either() -> None:
    """A server may take markup without saying so."""
    body = text_of(drift(title="R&D <a href='http://x/'>3</a>"), {"body"}).body

    assert body.startswith("firefox: R&D \u2039a href='http://x/'\u203a3\u2039/a\u203a\n")


def hostile_drift(title: str, window_class: str, reason: str, next_action: str) -> Notification:
    return Notification(
        id=1,
        about="drift",
        next_action=next_action,
        window=Window(window_class, title),
        reason=reason,
    )


@given(st.builds(hostile_drift, ANYTHING, ANYTHING, ANYTHING, ANYTHING))
def test_no_text_hides_anything_or_breaks_out(notification: Notification) -> None:
    text = text_of(notification, ACTIONS)

    assert not re.search(r'[<>"]', text.body)
    assert re.fullmatch(r"(?:[^&]|&(?:amp|lt|gt|quot);)*", text.body)
    assert "\n" not in text.summary
    assert text.body.count("\n") <= 2
    assert text.body.endswith("or type: antidrift refocus · ontask · complete")
    for char in text.summary + text.body.replace("\n", ""):
        assert char in "\u200c\u200d" or unicodedata.category(char) not in {"Cc", "Cf", "Cs"}
    assert len(text.summary) <= 100
    plain = text_of(notification, {"body"}).body
    assert not re.search("[<>]", plain)
    assert len(plain) <= 600


@pytest.mark.parametrize(
    "letter",
    [
        *("e\u0301", "\U0001f44d\U0001f3fd", "\U0001f469\u200d\U0001f680", "❤\ufe0f"),
        *("क\u093f", "\U0001f1eb\U0001f1f7", "\u1100\u1161\u11a8"),
    ],
)
@pytest.mark.parametrize("padding", range(6))
def test_a_letter_is_never_cut_in_two(letter: str, padding: int) -> None:
    title = "x" * padding + letter * 200

    (shown,) = re.findall(r"^firefox: (.*)…$", text_of(drift(title=title), {"body"}).body, re.M)

    assert title.startswith(shown)
    assert (len(shown) - padding) % len(letter) == 0
    assert 100 < len(shown) < 120


def test_a_text_that_is_cut_says_so() -> None:
    text = text_of(drift(title="t" * 1024, reason="r" * 1024), {"body"})

    lines = text.body.splitlines()
    assert lines[0] == "firefox: " + "t" * 119 + "…"
    assert lines[1] == "r" * 239 + "…"

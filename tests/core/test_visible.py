"""Text from outside on one line."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from antidriftd.core.visible import one_line, visible


@given(st.text())
def test_nothing_that_hides_or_breaks_the_line_is_left(text: str) -> None:
    shown = visible(text)
    hidden = {"Cc", "Cs", "Zl", "Zp"}
    assert not [char for char in shown if unicodedata.category(char) in hidden]
    assert not {"\u202e", "\u2066", "\u200b", "\ufeff"} & set(shown)


def test_what_belongs_to_a_script_stays() -> None:
    assert visible("नमस्\u200dते — 日本 👩\u200d🔬") == "नमस्\u200dते — 日本 👩\u200d🔬"


def test_a_control_character_is_written_as_its_escape() -> None:
    assert visible("x\x1b[2J\u202e\x9b") == "x\\x1b[2J\\u202e\\x9b"


@given(st.one_of(st.text(), st.binary()))
def test_one_line_is_short(text: str | bytes) -> None:
    assert len(one_line(text, 20)) <= 20


def test_a_long_line_is_cut_with_an_ellipsis() -> None:
    assert one_line("one\ntwo  three", 8) == "one two…"

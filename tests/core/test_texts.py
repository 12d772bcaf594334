"""Which texts are taken, at both sides of each limit."""

from collections.abc import Callable

import pytest

from antidriftd.core import texts
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.model import Allowance


def _text(value: str) -> str:
    return texts.checked_text("the intent", value)


def _optional(value: str) -> str:
    return texts.checked_optional_text("the success condition", value)


def _class(value: str) -> str:
    return texts.checked_allowances("class", (value,))[0].value


def _title(value: str) -> str:
    return texts.checked_allowances("title", (value,))[0].value


Check = Callable[[str], str]


def is_refused(check: Check, value: str) -> bool:
    with pytest.raises(TransitionRefused) as refusal:
        check(value)
    return refusal.value.kind == "invalid_value"


@pytest.mark.parametrize(
    ("check", "limit"),
    [
        (_text, 512),
        (_optional, 512),
        (texts.checked_note, 4096),
        (_class, 256),
        (_title, 1024),
    ],
)
def test_a_text_is_taken_up_to_its_limit(check: Check, limit: int) -> None:
    assert check("x" * limit) == "x" * limit
    assert is_refused(check, "x" * (limit + 1))


def test_a_text_is_counted_in_characters_and_a_note_in_bytes() -> None:
    assert _text("é" * 512) == "é" * 512
    assert texts.checked_note("é" * 2048) == "é" * 2048
    assert is_refused(texts.checked_note, "é" * 2048 + "x")


@pytest.mark.parametrize("check", [_text, _optional, texts.checked_note, _class, _title])
class TestEveryText:
    @pytest.mark.parametrize(
        "char", ["\x00", "\t", "\n", "\r", "\x1b", "\x7f", "\x85", "\x9b", "\ud800"]
    )
    def test_with_a_control_character_or_a_surrogate_is_refused(
        self, check: Check, char: str
    ) -> None:
        assert is_refused(check, f"a{char}b")

    def test_is_trimmed(self, check: Check) -> None:
        assert check("  a  b \n") == "a  b"

    @pytest.mark.parametrize("value", ["naïve — 日本", "👩‍👩‍👧", "a\u00a0b", '"}{', "Ünïcödé"])
    def test_of_any_script_is_taken_as_it_is(self, check: Check, value: str) -> None:
        assert check(value) == value


@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u3000"])
def test_a_blank_is_refused_where_something_has_to_be_said(blank: str) -> None:
    assert is_refused(_text, blank)
    assert is_refused(_class, blank)
    assert is_refused(_title, blank)


def test_a_blank_success_condition_or_note_is_empty() -> None:
    assert _optional("  ") == ""
    assert texts.checked_note("  ") == ""


def test_allowances_are_kept_once_each_in_order() -> None:
    checked = texts.checked_allowances("class", ("b", "A", "B ", "a"))

    assert checked == (Allowance("class", "b"), Allowance("class", "A"))


def test_a_class_and_a_title_of_the_same_text_are_two_allowances() -> None:
    both = texts.merged((Allowance("class", "a"),), (Allowance("title", "a"),))

    assert both == (Allowance("class", "a"), Allowance("title", "a"))


def test_no_more_than_200_allowances_are_taken() -> None:
    full = texts.checked_allowances("class", map(str, range(200)))

    assert texts.merged(full, (Allowance("class", "7"),)) == full
    with pytest.raises(TransitionRefused):
        texts.merged(full, (Allowance("class", "one more"),))

"""Whether a message quotes a private text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.advisor.quoting import quotes

PROFILE = "I breed canaries in Ghent, and I am writing a thesis on their song. Été comme hiver."


@pytest.mark.parametrize(
    "message",
    [
        PROFILE,
        "it printed: I breed canaries in Ghent, and",
        "it printed: ...EED CANARIES IN   GHENT, AND I AM...",
        json.dumps(PROFILE)[60:],
        "it printed: their song. \\u00c9t\\u00e9 comme hiver.",
    ],
)
def test_a_piece_of_it_is_found(message: str) -> None:
    assert quotes(message, PROFILE)


@pytest.mark.parametrize(
    "message", ["", "ai exited with code 1; it printed nothing", "I am in Ghent"]
)
def test_other_words_are_no_quotation(message: str) -> None:
    assert not quotes(message, PROFILE)


def test_all_of_a_short_text_is_one() -> None:
    assert quotes("it printed: I am Ann.", "I am Ann")
    assert not quotes("it printed: I am", "I am Ann")


@pytest.mark.parametrize("private", ["", " \n", "...", "—"])
def test_nothing_is_never_quoted(private: str) -> None:
    assert not quotes("anything", private)


@given(st.text(), st.text(alphabet=st.characters(categories=["L", "N"]), min_size=24))
def test_a_quotation_is_found_wherever_it_stands(around: str, private: str) -> None:
    assert quotes(around + private[2:24] + around, private)

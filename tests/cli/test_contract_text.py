"""A contract as text: what is written can be read back, and mistakes name their line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from antidrift_cli.contract_text import contract_text, is_empty, parse_contract
from antidrift_cli.errors import BadInput
from antidrift_cli.visible import visible
from protocol import views
from protocol.methods import StartParams
from tests.cli.samples import PROPOSAL

MODELINES = 5
"""How many lines at either end Vim looks at by itself."""

CLASSES = st.text(min_size=1).map(lambda text: visible(text.replace(",", "")).strip())
PROPOSALS = st.builds(
    views.Proposal,
    next_action=st.text().filter(lambda text: visible(text).strip()),
    success_condition=st.text(),
    timebox_secs=st.integers(1, 86_400),
    allowed_window_classes=st.lists(CLASSES.filter(bool), max_size=3).map(tuple),
)


def contract(**values: str) -> str:
    lines = {
        "next action": "write",
        "done when": "it is there",
        "timebox": "25m",
        "allowed classes": "code",
        **{name.replace("_", " "): value for name, value in values.items()},
    }
    return "".join(f"{key}: {value}\n" for key, value in lines.items())


def test_a_proposal_is_read_back_as_it_was() -> None:
    assert parse_contract(contract_text(PROPOSAL)) == StartParams(
        next_action="write its first page",
        success_condition="a friend has the page",
        timebox_secs=1500,
        allowed_window_classes=("code", "evince"),
    )


@given(PROPOSALS)
def test_any_proposal_is_read_back_as_it_is_shown(proposal: views.Proposal) -> None:
    text = contract_text(proposal)
    params = parse_contract(text)

    assert params.next_action == visible(proposal.next_action).strip()
    assert params.success_condition == visible(proposal.success_condition).strip()
    assert params.timebox_secs == proposal.timebox_secs
    assert params.allowed_window_classes == proposal.allowed_window_classes


@given(PROPOSALS)
def test_nothing_that_others_wrote_is_near_the_ends_or_invisible(
    proposal: views.Proposal,
) -> None:
    lines = contract_text(proposal).removesuffix("\n").split("\n")

    assert all(visible(line) == line for line in lines)
    assert len(lines) == 2 * MODELINES + 4
    for line in (*lines[:MODELINES], *lines[-MODELINES:]):
        assert line.startswith("#")


@pytest.mark.parametrize(
    ("text", "secs"), [("25", 1500), ("1h 30m", 5400), ("90 s", 90), ("2h", 7200)]
)
def test_a_timebox_is_written_as_people_do(text: str, secs: int) -> None:
    assert parse_contract(contract(timebox=text)).timebox_secs == secs


@pytest.mark.parametrize(
    ("text", "classes"),
    [("", ()), (" , ", ()), ("a,b", ("a", "b")), (" a b ,, c ", ("a b", "c"))],
)
def test_classes_are_set_apart_by_commas(text: str, classes: tuple[str, ...]) -> None:
    assert parse_contract(contract(allowed_classes=text)).allowed_window_classes == classes


def test_lines_can_be_left_out_moved_and_written_in_other_ways() -> None:
    text = "\r\n\r\n  TimeBox :5m\r\n# a note: x\r\nNext  Action: a: b # c\r\n"

    assert parse_contract(text) == StartParams(
        next_action="a: b # c",
        success_condition="",
        timebox_secs=300,
        allowed_window_classes=(),
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (contract() + "and so on\n", "line 5 must begin with"),
        (contract() + "mood: good\n", "line 5 must begin with"),
        ("#\n\n" + contract() + "Done when: now\n", "line 7 is the second"),
        (contract(next_action=" "), "`next action` is missing"),
        (contract(timebox=""), "`timebox` is missing"),
        ("timebox: 5m", "`next action` is missing"),
        (contract(timebox="soon"), "`timebox`: 'soon' is no length of time"),
        (contract(timebox="25h"), "`timebox`: 25h is out of range"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        parse_contract(text)


@given(st.text())
def test_any_text_is_a_contract_or_a_mistake(text: str) -> None:
    with suppress(BadInput):
        parse_contract(text)


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("", True),
        (" \n\t\r\n", True),
        ("# only\n  # this\n", True),
        (contract(), False),
        ("x", False),
        (contract_text(replace(PROPOSAL, next_action="")), False),
    ],
)
def test_a_contract_is_empty_when_only_comments_are_left(text: str, empty: bool) -> None:
    assert is_empty(text) == empty

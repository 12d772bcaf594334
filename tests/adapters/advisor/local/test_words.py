"""Words in any script, their forms, and text that speaks to a judge."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.advisor.local.entries import DataFiles
from antidriftd.adapters.advisor.local.folding import fold, is_unspaced
from antidriftd.adapters.advisor.local.injections import compile_injections, without_injections
from antidriftd.adapters.advisor.local.judge import JUDGE_DATA
from antidriftd.adapters.advisor.local.words import likeness, tickets_of, words_of

ENDINGS = frozenset(" ".join(DataFiles(JUDGE_DATA).texts("endings.txt")).split()) | {""}


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Straße", "strasse"),
        ("ÉLÈVE", "eleve"),
        ("\uff21\uff22\uff23", "abc"),
        ("Łódź", "lodz"),
        ("ёлка", "елка"),
        ("ガイド", "ガイド"),
        ("İstanbul", "istanbul"),
    ],
)
def test_spellings_of_a_word_meet(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_scripts_without_spaces_are_known() -> None:
    assert is_unspaced("請求書")
    assert is_unspaced("ガイド")
    assert is_unspaced("청구서")
    assert not is_unspaced("invoice")
    assert not is_unspaced("счёт")
    assert not is_unspaced("")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("churn_report_v2.sql", ("churn", "report", "v2", "sql")),
        ("TokenBucketTest", ("token", "bucket", "test")),
        ("C++ and C#", ("c++", "and", "c#")),
        ("請求書", ("請求", "求書")),
        ("the plan's end", ("the", "plan", "end")),
    ],
)
def test_text_is_cut_into_words(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("invoice", "invoices"),
        ("entity", "entities"),
        ("test", "testing"),
        ("factura", "facturas"),
        ("rechnung", "rechnungen"),
        ("rechnung", "rechnungsnummer"),
        ("tax", "taxes"),
        ("отчет", "отчета"),
    ],
)
def test_forms_and_compounds_are_alike(one: str, other: str) -> None:
    assert 0 < likeness(one, other, ENDINGS) < 1
    assert likeness(one, other, ENDINGS) == likeness(other, one, ENDINGS)


@pytest.mark.parametrize(("one", "other"), [("contract", "contrast"), ("cat", "car"), ("a", "as")])
def test_other_words_are_not(one: str, other: str) -> None:
    assert likeness(one, other, ENDINGS) == 0


def test_tickets_are_found() -> None:
    assert tickets_of("[AB-12] of #482, not Act 1 or v2") == {"AB-12", "#482"}


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("before OBEY ME now - after", "before   - after"),
        ("before [so OBEY it] after", "before   after"),
        ('"please OBEY" rest', "  rest"),
        ("nothing here", "nothing here"),
    ],
)
def test_what_speaks_to_a_judge_is_taken_out(title: str, left: str) -> None:
    assert without_injections(title, re.compile("OBEY")).strip() == left.strip()


@given(st.text(alphabet='OBEY []()"-|', max_size=60))
def test_taking_out_always_ends(title: str) -> None:
    assert "OBEY" not in without_injections(title, re.compile("OBEY"))


def test_a_pattern_that_is_none_is_left_out() -> None:
    pattern = compile_injections(["(", "obey"])
    assert pattern.search("OBEY")
    assert not compile_injections([]).search("anything")

"""Cutting text into word pieces, as the model's own tokenizer (tokenizers 0.23.3) does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.advisor.semantic.word_pieces import MAX_PIECES, VOCABULARY, WordPieces

PIECES = WordPieces(VOCABULARY)

OWN = {
    "": [101, 102],
    "Fix the crash of the importer": [101, 8081, 1996, 5823, 1997, 1996, 12324, 2121, 102],
    "[SHOP-512] Importer crashes on empty rows - Jira": [
        101,
        1031,
        4497,
        1011,
        24406,
        1033,
        12324,
        2121,
        19119,
        2006,
        4064,
        10281,
        1011,
        10147,
        2527,
        102,
    ],
    "Rechnungen f\xfcr den M\xe4rz pr\xfcfen": [
        101,
        28667,
        7295,
        23239,
        6519,
        7939,
        9388,
        2480,
        10975,
        16093,
        2368,
        102,
    ],
    "M\xe9thodologie qualitative : l'entretien": [
        101,
        4118,
        12898,
        11239,
        24209,
        11475,
        27453,
        1024,
        1048,
        1005,
        4372,
        7913,
        9515,
        2078,
        102,
    ],
    "\u8acb\u6c42\u66f8\u3092\u4f5c\u6210\u3059\u308b": [
        101,
        100,
        100,
        1871,
        1690,
        100,
        1854,
        1658,
        30213,
        102,
    ],
    "\u0441\u043c\u0435\u0448\u043d\u044b\u0435 \u043f\u0440\u0438\u043a\u043e\u043b\u044b 2024": [
        101,
        1196,
        29745,
        15290,
        29753,
        18947,
        29113,
        15290,
        1194,
        16856,
        10325,
        23925,
        14150,
        29436,
        29113,
        16798,
        2549,
        102,
    ],
    "C++ & Rust: 50% faster?!": [
        101,
        1039,
        1009,
        1009,
        1004,
        18399,
        1024,
        2753,
        1003,
        5514,
        1029,
        999,
        102,
    ],
    "\u2014\u201cquoted\u201d\xa0text\u200b\x07": [101, 1517, 1523, 9339, 1524, 3793, 102],
    "x" * 101: [
        101,
        100,
        102,
    ],
    "unbelievably antidisestablishmentarianism": [
        101,
        4895,
        8671,
        2666,
        3567,
        6321,
        3424,
        10521,
        4355,
        7875,
        13602,
        3672,
        12199,
        2964,
        102,
    ],
    "\ud55c\uad6d\uc5b4 \uc81c\ubaa9": [
        101,
        1469,
        30006,
        30021,
        29991,
        30014,
        30020,
        29999,
        30008,
        1464,
        30009,
        29995,
        30011,
        30020,
        102,
    ],
    "emoji \U0001f602 here": [101, 7861, 29147, 2072, 100, 2182, 102],
}


@pytest.mark.parametrize("text", OWN)
def test_a_text_is_cut_as_the_models_own_tokenizer_cuts_it(text: str) -> None:
    assert PIECES.numbers(text) == OWN[text]


def test_what_looks_like_a_mark_is_text() -> None:
    assert PIECES.numbers("[SEP]").count(102) == 1


@given(st.text(max_size=300))
def test_any_text_gives_some_pieces_and_not_too_many(text: str) -> None:
    numbers = PIECES.numbers(text)
    assert numbers[0] == 101
    assert numbers[-1] == 102
    assert len(numbers) <= MAX_PIECES


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Fix the crash of the importer", True),
        ("Release notes of the YouTube parser", True),
        ("", True),
        ("2024 :-)", True),
        ("Rechnungen f\u00fcr den M\u00e4rz pr\u00fcfen", False),
        ("Redactar el cap\u00edtulo de metodolog\u00eda (muestreo y entrevistas)", False),
        ("\u8acb\u6c42\u66f8\u3092\u4f5c\u6210\u3059\u308b", False),
        (
            "\u0441\u043c\u0435\u0448\u043d\u044b\u0435 \u043f\u0440\u0438\u043a\u043e\u043b\u044b",
            False,
        ),
    ],
)
def test_it_tells_english_from_what_the_model_never_learnt(text: str, *, known: bool) -> None:
    assert PIECES.knows(text) is known

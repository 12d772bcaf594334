"""Subjects: what a text is near to, though it names none of them."""

import pytest

from antidriftd.adapters.advisor.local.judge import JUDGE_DATA
from antidriftd.adapters.advisor.local.subjects import Subjects
from antidriftd.adapters.advisor.local.vectors import Vector, WordVectors, closeness

WORDS = {
    "cooking": ("recipe", "oven", "flour"),
    "law": ("court", "contract", "lawyer"),
    "music": ("violin", "melody", "concert"),
}


@pytest.fixture(scope="module")
def vectors() -> WordVectors:
    return WordVectors(JUDGE_DATA / "words.txt")


@pytest.fixture(scope="module")
def subjects(vectors: WordVectors) -> Subjects:
    return Subjects(WORDS, vectors)


def vector_of(vectors: WordVectors, word: str) -> Vector:
    known = vectors.exact(word)
    assert known, word
    return known.vector


def test_words_of_one_subject_that_are_in_no_list_are_near_each_other(
    subjects: Subjects, vectors: WordVectors
) -> None:
    bread, soup, judge = (
        subjects.profile(vector_of(vectors, word)) for word in ("bread", "soup", "attorney")
    )
    assert closeness(bread, soup) > 0.5 > closeness(bread, judge)


def test_topics_draw_a_text_to_their_subject(subjects: Subjects, vectors: WordVectors) -> None:
    bread = vector_of(vectors, "bread")
    law = subjects.profile(vector_of(vectors, "attorney"))
    drawn = subjects.profile(subjects.widened(bread, {"law": 1.0, "unheard of": 1.0}))
    assert closeness(drawn, law) > closeness(subjects.profile(bread), law)


def test_nothing_known_is_near_to_nothing(subjects: Subjects, vectors: WordVectors) -> None:
    assert subjects.profile(subjects.widened((), {})) == ()
    unknown = Subjects({"empty": ("qqzzqx",)}, vectors)
    assert unknown.profile(vector_of(vectors, "bread")) == ()

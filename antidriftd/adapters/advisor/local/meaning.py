"""The words of a text that tell something, how much each tells, and what it is near to."""

from dataclasses import dataclass

from antidriftd.adapters.advisor.local.knowledge import Knowledge
from antidriftd.adapters.advisor.local.vectors import MAX_FREQUENCY, Vector, scaled
from antidriftd.adapters.advisor.local.words import unspaced_runs, words_of

_MOST_WORDS = 16
_UNKNOWN_WEIGHT = 0.85
"""A word that isn't among the frequent ones is rather a name than a form of one."""
_LEAST_WEIGHT = 0.25


@dataclass(frozen=True, slots=True)
class Term:
    """A word that tells something."""

    text: str
    weight: float
    """From 0, it stands everywhere, to 1, it is rare."""
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a text is about: its telling words, and their middle."""

    terms: tuple[Term, ...]
    centre: Vector


def meaning_of(text: str, knowledge: Knowledge) -> Meaning:
    """Return the meaning of `text`, from its most telling words."""
    words = [*words_of(text), *_cut_runs(text, knowledge)]
    terms = [term for word in words if (term := _term(word, knowledge))]
    terms = sorted(terms, key=lambda term: -term.weight)[:_MOST_WORDS]
    sums: list[float] = []
    for term in terms:
        if term.vector:
            weighed = [number * term.weight for number in term.vector]
            sums = (
                [one + other for one, other in zip(sums, weighed, strict=True)] if sums else weighed
            )
    return Meaning(tuple(terms), scaled(sums))


def _cut_runs(text: str, knowledge: Knowledge) -> list[str]:
    return [word for run in unspaced_runs(text) for word in knowledge.vectors.cut(run)]


def _term(text: str, knowledge: Knowledge) -> Term | None:
    if text in knowledge.stop_words or text.isdigit():
        return None
    known = knowledge.vectors.find(text)
    exact = knowledge.vectors.exact(text)
    weight = 1 - exact.frequency / MAX_FREQUENCY * 2 if exact else _UNKNOWN_WEIGHT
    if weight < _LEAST_WEIGHT:
        return None
    return Term(text, weight, known.vector if known else None)

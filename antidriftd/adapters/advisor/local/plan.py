"""Reads a commitment once: its words, topics, and what kinds of page would belong to it."""

from dataclasses import dataclass

from antidriftd.adapters.advisor.local.knowledge import Knowledge
from antidriftd.adapters.advisor.local.meaning import Meaning, meaning_of
from antidriftd.adapters.advisor.local.vectors import Vector
from antidriftd.adapters.advisor.local.words import (
    identifiers_of,
    numbers_of,
    tickets_of,
    without_tickets,
)
from antidriftd.core.model import Commitment


@dataclass(frozen=True, slots=True)
class Plan:
    """What a commitment is about."""

    meaning: Meaning
    topics: dict[str, float]
    kinds: frozenset[str]
    """Of the sites that it names, and of the words that say what kind of page it needs."""
    identifiers: frozenset[tuple[str, str]]
    numbers: frozenset[str]
    tickets: frozenset[str]
    subjects: Vector
    """How near it is to each topic, itself and by the topics that it names."""
    reaches_out: bool
    """Whether it says that somebody is written to, asked or called."""


def read_plan(commitment: Commitment, knowledge: Knowledge) -> Plan:
    """Return what `commitment` is about."""
    text = _text(commitment)
    plain = without_tickets(text)
    sites = {named.kind.name for _, named in knowledge.sites.found_in(plain)}
    cues = {kind.name for _, kind in knowledge.cues.found_in(plain)}
    topics = commitment_topics(commitment, knowledge)
    meaning = meaning_of(text, knowledge)
    subjects = knowledge.subjects
    return Plan(
        meaning=meaning,
        topics=topics,
        kinds=frozenset(sites | cues),
        identifiers=identifiers_of(text),
        numbers=numbers_of(text),
        tickets=tickets_of(text),
        subjects=subjects.profile(subjects.widened(meaning.centre, topics)),
        reaches_out=any(True for _ in knowledge.contacts.found_in(text)),
    )


def commitment_topics(commitment: Commitment, knowledge: Knowledge) -> dict[str, float]:
    """Return the topics of `commitment`, by its words and by the sites that it names."""
    plain = without_tickets(_text(commitment))  # SHOP-512 is no shop
    topics = topics_of(plain, knowledge)
    for _, named in knowledge.sites.found_in(plain):
        for topic in named.topics:
            topics[topic] = topics.get(topic, 0.0) + 0.7
    return topics


def _text(commitment: Commitment) -> str:
    return f"{commitment.next_action} \u2014 {commitment.success_condition}"


def topics_of(text: str, knowledge: Knowledge) -> dict[str, float]:
    """Return the topics that the words of `text` belong to; words of few topics count for more."""
    topics: dict[str, float] = {}
    for _, named in set(knowledge.topics.found_in(text)):
        for topic in named:
            topics[topic] = topics.get(topic, 0.0) + 1 / len(named)
    return topics

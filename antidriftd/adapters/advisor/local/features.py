"""What speaks for and against a window, as numbers with names that a person can read."""

from dataclasses import dataclass

from antidriftd.adapters.advisor.local.knowledge import Knowledge
from antidriftd.adapters.advisor.local.meaning import Meaning, Term, meaning_of
from antidriftd.adapters.advisor.local.plan import Plan, topics_of
from antidriftd.adapters.advisor.local.sight import Sight
from antidriftd.adapters.advisor.local.style import style_of
from antidriftd.adapters.advisor.local.vectors import closeness
from antidriftd.adapters.advisor.local.words import identifiers_of, likeness, numbers_of, tickets_of

FUN = frozenset({"leisure", "feed", "shop", "news"})
"""The families where people drift."""
QUIET = frozenset({"neutral", "music"})
"""The families that stand beside any work."""
CONTACT = frozenset({"chat", "team", "mail", "call"})
_CLOSE = 0.25
_NEAR_WORDS = 3
_RARE = 0.8


@dataclass(frozen=True, slots=True)
class Compared:
    """A window beside a commitment: the features, and what a reason may name."""

    features: dict[str, float]
    shared: tuple[str, ...]
    """The words of the title that are in the plan, the most telling first."""
    topics: tuple[str, ...]
    cue: str
    is_quiet: bool
    """Whether nobody could tell: a helper, nothing to see, or the start of a site of the plan's."""


def compare(sight: Sight, plan: Plan, knowledge: Knowledge) -> Compared:
    """Return what the window and the commitment have in common, and what they don't."""
    meaning = meaning_of(sight.content, knowledge)
    overlap, rare, shared = _overlap(meaning, plan.meaning, knowledge.endings)
    near, nearest = _nearness(meaning, plan.meaning)
    centre = closeness(meaning.centre, plan.meaning.centre) if meaning.centre else 0.0
    topics, common = _topics(sight, plan, knowledge)
    suits = float(sight.kind.name in plan.kinds or bool(sight.kind.topics & plan.topics.keys()))
    is_bare = not meaning.terms
    is_quiet = sight.kind.family == "neutral" or (is_bare and (suits > 0 or not sight.name))
    features = _kind_features(sight, suits=suits, is_bare=is_bare)
    features |= _cue_features(sight, plan)
    features |= _identifier_features(sight, plan)
    if plan.reaches_out and sight.kind.family in CONTACT:
        features["contact that suits"] = 1.0
    features |= {
        "overlap": min(overlap, 3.0),
        "rare words": min(rare, 2.0),
        "has overlap": float(overlap > 0),
        "near": near,
        "nearest": nearest,
        "centre": max(centre, 0.0),
        "subject": closeness(knowledge.subjects.profile(meaning.centre), plan.subjects),
        "topics": common,
        "other topics": min(sum(topics.values()), 1.0) if plan.topics and not common else 0.0,
        "style": min(style_of(sight.content), 3) / 3,
        "words": min(len(meaning.terms), 8) / 8,
    }
    if len(meaning.terms) > 1 and not overlap and not common and sight.kind.family not in QUIET:
        features["unrelated"] = 1 - nearest
    if sight.kind.family in FUN:
        features |= {
            "fun and overlap": min(overlap, 3.0),
            "fun and near": near,
            "fun and topics": common,
        }
    both = sorted(topics.keys() & plan.topics.keys(), key=lambda topic: -plan.topics[topic])
    return Compared(features, shared, tuple(both), sight.cues[0][0] if sight.cues else "", is_quiet)


def _overlap(
    window: Meaning, plan: Meaning, endings: frozenset[str]
) -> tuple[float, float, tuple[str, ...]]:
    """Return the weight of the words in common, that of the rare ones, and the words."""
    found: list[tuple[float, Term]] = []
    rare = 0.0
    for term in window.terms:
        scores = (
            likeness(term.text, o.text, endings) * min(term.weight, o.weight) for o in plan.terms
        )
        best = max(scores, default=0.0)
        if best > 0:
            found.append((best, term))
            rare += best if best > _RARE else 0.0
    found.sort(key=lambda pair: -pair[0])
    return sum(score for score, _ in found), rare, tuple(term.text for _, term in found)


def _nearness(window: Meaning, plan: Meaning) -> tuple[float, float]:
    """Return how near the three nearest words of the title are to the plan, and the nearest."""
    scores = []
    for term in window.terms:
        if term.vector is None:
            continue
        best = 0.0
        for other in plan.terms:
            if other.vector is not None:
                close = max(closeness(term.vector, other.vector) - _CLOSE, 0.0) / (1 - _CLOSE)
                best = max(best, close * min(term.weight, other.weight))
        scores.append(best)
    scores.sort(reverse=True)
    return (sum(scores[:_NEAR_WORDS]) / _NEAR_WORDS, scores[0]) if scores else (0.0, 0.0)


def _topics(sight: Sight, plan: Plan, knowledge: Knowledge) -> tuple[dict[str, float], float]:
    """Return the window's topics, and how much of them is the plan's, from 0 to 1."""
    topics = topics_of(sight.content, knowledge)
    for topic in sight.topics:
        topics[topic] = topics.get(topic, 0.0) + 0.7
    mine = sum(weight * weight for weight in topics.values()) ** 0.5
    theirs = sum(weight * weight for weight in plan.topics.values()) ** 0.5
    product = sum(weight * plan.topics.get(topic, 0.0) for topic, weight in topics.items())
    return topics, product / (mine * theirs) if product else 0.0


def _kind_features(sight: Sight, *, suits: float, is_bare: bool) -> dict[str, float]:
    family = sight.kind.family
    features = {f"is {family}": 1.0, "suits": suits}
    if not sight.is_sure and sight.name:
        features["unsure name"] = 1.0
    if family in FUN:
        features["fun that suits"] = suits
    if is_bare:
        features["bare"] = 1.0
        features[
            f"bare {family}"
            if family in FUN | {"mail", "chat", "team", "ai", "search"}
            else "bare other"
        ] = 1.0
    return features


def _cue_features(sight: Sight, plan: Plan) -> dict[str, float]:
    features: dict[str, float] = {}
    for _, kind in sight.cues:
        if kind.name in plan.kinds or kind.topics & plan.topics.keys():
            features["cue that suits"] = 1.0
        else:
            name = "fun" if kind.family in FUN else kind.family
            features[f"cue {name}"] = min(features.get(f"cue {name}", 0.0) + 1.0, 2.0)
    return features


def _identifier_features(sight: Sight, plan: Plan) -> dict[str, float]:
    found = identifiers_of(sight.content)
    features: dict[str, float] = {}
    if found & plan.identifiers:
        features["same identifier"] = 1.0
    elif {word for word, _ in found} & {word for word, _ in plan.identifiers} or (
        tickets_of(sight.content) and plan.tickets
    ):
        features["another identifier"] = 1.0
    if numbers_of(sight.content) & plan.numbers:
        features["same number"] = 1.0
    return features

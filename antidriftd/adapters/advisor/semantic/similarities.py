"""What the sentence model adds to the features: how near a title is to the plan, by meaning."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from antidriftd.adapters.advisor.local.features import QUIET
from antidriftd.adapters.advisor.local.sight import Sight
from antidriftd.adapters.advisor.local.vectors import closeness
from antidriftd.adapters.advisor.semantic.encoder import Encoder
from antidriftd.adapters.advisor.semantic.word_pieces import WordPieces
from antidriftd.core.model import Commitment

_CUT = re.compile(r"[,;:+()\u2013\u2014|/\u00b7\u2022?!\u3001\u3002]|\s-\s")
_SHORTEST_PART = 3
_MOST_PARTS = 12
_MAX_CHARS = 600
_FAR = 0.2
_NEAR_WEIGHT, _TITLE_WEIGHT = 3.0, 0.7
"""What the regression's penalty is divided by: cosines of sentences differ little, so that they
need large weights; the numbers of a vector are many, and each may count for little."""


@dataclass(frozen=True, slots=True)
class PlanTexts:
    """The texts that stand for a commitment."""

    whole: str
    action: str
    success: str
    parts: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """Every one of them."""
        return (self.whole, self.action, self.success, *self.parts)


def plan_texts(commitment: Commitment) -> PlanTexts:
    """Return the texts of a commitment: all of it, its halves, and their parts."""
    action = commitment.next_action[:_MAX_CHARS]
    success = commitment.success_condition[:_MAX_CHARS] or action
    parts = [part.strip() for text in (action, success) for part in _CUT.split(text)]
    parts = [part for part in parts if len(part) >= _SHORTEST_PART] or [action]
    return PlanTexts(f"{action}. {success}", action, success, tuple(parts[:_MOST_PARTS]))


def is_english(sight: Sight, commitment: Commitment, pieces: WordPieces) -> bool:
    """Return whether the model is likely to understand the title and the plan."""
    return pieces.knows(sight.content) and pieces.knows(plan_texts(commitment).whole)


async def similarities(
    sight: Sight, known: Mapping[str, float], commitment: Commitment, encoder: Encoder
) -> Mapping[str, float]:
    """Return the features by meaning beside `known` ones; none without words in the title.

    Raises:
        EncoderError: there is no model to be asked.
    """
    if not sight.content:
        return {}
    # The plan's texts are known after the first question, and only the title is new.
    *planned, title = await encoder.encode([*plan_texts(commitment).all, sight.content])
    whole, action, success, *parts = (closeness(title, each) for each in planned)
    near, nearest = max(action, success), max(whole, *parts)
    features = {
        "meaning": whole,
        "meaning of the action": action,
        "meaning of success": success,
        "nearest half": near,
        "nearest part": max(parts),
        f"{sight.kind.family} and meaning": near,
    }
    if sight.kind.family not in QUIET:
        features["far in meaning"] = 1 - nearest
    features |= _beside_words(near, known)
    return {
        **{name: value * _NEAR_WEIGHT for name, value in features.items()},
        **{f"title {at}": value * _TITLE_WEIGHT for at, value in enumerate(title)},
    }


def _beside_words(near: float, known: Mapping[str, float]) -> dict[str, float]:
    """Return what nearness in meaning tells with words in common, and without."""
    overlap = known.get("overlap", 0.0)
    beside = {"centre and meaning": known.get("centre", 0.0) * near * 2}
    if overlap:
        return beside | {"overlap and meaning": overlap * near}
    return beside | {"meaning alone": near, "neither": max(_FAR - near, 0.0) * 2}

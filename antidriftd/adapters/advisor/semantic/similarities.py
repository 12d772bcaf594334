"""What the sentence model adds to the features: how near a title is to the plan, by meaning."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from antidriftd.adapters.advisor.local.features import FUN, QUIET
from antidriftd.adapters.advisor.local.sight import Sight
from antidriftd.adapters.advisor.local.vectors import closeness
from antidriftd.adapters.advisor.semantic.encoder import Encoder, Vector
from antidriftd.core.model import Commitment

_CUT = re.compile(r"[,;:+()\u2013\u2014|/\u00b7\u2022?!\u3001\u3002]|\s-\s")
_SHORTEST_PART = 3
_MOST_PARTS = 12
_MAX_CHARS = 600
_NEAR, _LIKE, _BOTH = 3.0, 1.5, 7.0
"""Cosines of sentences differ little; so large the regression's penalty leaves them their say."""


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


async def similarities(
    sight: Sight, commitment: Commitment, activities: Sequence[str], encoder: Encoder
) -> Mapping[str, float]:
    """Return the features by meaning; none for a window without words of its own.

    Raises:
        EncoderError: there is no model to be asked.
    """
    if not sight.content:
        return {}
    plan = plan_texts(commitment)
    shown = f"{sight.kind.called}: {sight.content}"
    # The window comes last: the rest is known after the first question.
    vectors = await encoder.encode([*activities, *plan.all, sight.content, shown])
    kinds, planned = vectors[: len(activities)], vectors[len(activities) : -2]
    whole, action, success, *parts = (closeness(vectors[-2], each) for each in planned)
    near = {"meaning": whole, "meaning of the action": action, "meaning of success": success}
    near |= {"nearest half": max(action, success), "nearest part": max(parts)}
    if sight.kind.family in FUN:
        near |= {"fun and meaning": whole, "fun and nearest part": max(parts)}
    if sight.kind.family not in QUIET:
        near["far"] = 1 - max(whole, *parts)
    mine, theirs = _profile(vectors[-1], kinds), _profile(planned[0], kinds)
    return {
        **{name: value * _NEAR for name, value in near.items()},
        **{f"like {name}": value * _LIKE for name, value in zip(activities, mine, strict=True)},
        **{
            f"both like {name}": one * other * _BOTH
            for name, one, other in zip(activities, mine, theirs, strict=True)
        },
    }


def _profile(vector: Vector, kinds: Sequence[Vector]) -> list[float]:
    """Return how near `vector` is to each of `kinds`, beside the others."""
    near = [closeness(vector, kind) for kind in kinds]
    mean = sum(near) / len(near)
    return [each - mean for each in near]

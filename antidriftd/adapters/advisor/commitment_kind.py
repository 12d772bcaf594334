"""What kind of commitment one is, so that what was learned under one serves others like it."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from antidriftd.core.learned import MAX_LABELS, KindOf
from antidriftd.core.model import Commitment

Topics = Callable[[Commitment], Mapping[str, float]]
"""What a commitment is about, by how much."""


_SURE = 1.0
"""What one word weighs that belongs to a single topic; less is a guess among several."""


def kinds_by(topics: Topics) -> KindOf:
    """Return what tells the kind of a commitment: what it is about most.

    Where that isn't sure the kind is its next action: only the same words are alike.
    """

    # More than the commitments that one look at the past is about: each is told once.
    @lru_cache(maxsize=4 * MAX_LABELS)
    def kind_of(commitment: Commitment) -> str:
        found = {topic: weight for topic, weight in topics(commitment).items() if weight >= _SURE}
        if not found:
            return " ".join(commitment.next_action.casefold().split())
        return min(found, key=lambda topic: (-found[topic], topic)).replace("-", " ")

    return kind_of

"""What kind of commitment one is, so that what was learned under one serves others like it."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from antidriftd.core.learned import KindOf
from antidriftd.core.model import Commitment

Topics = Callable[[Commitment], Mapping[str, float]]
"""What a commitment is about, by how much."""


def kinds_by(topics: Topics) -> KindOf:
    """Return what tells the kind of a commitment: what it is about most.

    Of one that is about nothing known the kind is its next action: only the same words are alike.
    """

    @lru_cache(maxsize=4096)
    def kind_of(commitment: Commitment) -> str:
        found = topics(commitment)
        if not found:
            return " ".join(commitment.next_action.casefold().split())
        return min(found, key=lambda topic: (-found[topic], topic)).replace("-", " ")

    return kind_of

"""Says which subjects a text is near to, though it names none of them."""

from collections.abc import Iterable, Mapping

from antidriftd.adapters.advisor.local.vectors import Vector, WordVectors, closeness, scaled


class Subjects:
    """Where each topic lies among the words: in the middle of its own."""

    def __init__(self, words: Mapping[str, Iterable[str]], vectors: WordVectors) -> None:
        """Take the folded words of each topic; those that have no vector don't count."""
        middles = {
            name: scaled(_total(found.vector for word in each if (found := vectors.look_up(word))))
            for name, each in words.items()
        }
        self._middles = {name: middle for name, middle in middles.items() if middle}
        # What all topics have in common would make everything near to everything.
        whole = [number / -len(self._middles) for number in _total(self._middles.values())]
        self._axes = [scaled(_total((middle, whole))) for middle in self._middles.values()]

    def profile(self, vector: Vector) -> Vector:
        """Return how near `vector` is to each topic beside the others, at length 1."""
        if not vector or not self._axes:
            return ()
        near = [closeness(axis, vector) for axis in self._axes]
        mean = sum(near) / len(near)
        return scaled([each - mean for each in near])

    def widened(self, vector: Vector, topics: Mapping[str, float]) -> Vector:
        """Return `vector` drawn halfway to the middle of `topics`, which have weights."""
        middle = _total(
            [weight * number for number in self._middles[name]]
            for name, weight in topics.items()
            if name in self._middles
        )
        return tuple(_total(part for part in (vector, scaled(middle)) if part))


def _total(vectors: Iterable[Iterable[float]]) -> list[float]:
    return [sum(column) for column in zip(*vectors, strict=True)]

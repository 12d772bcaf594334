"""Word vectors in a sorted file that is searched where it lies: nothing is loaded."""

import mmap
from binascii import a2b_base64
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from pathlib import Path

Vector = tuple[float, ...]

MAX_FREQUENCY = 99
_LONGEST_RUN = 6
_SHORTEST_STEM = 5
_LONGEST_ENDING = 4
_CACHED = 1024
"""Words kept at hand, of some 2 KiB each: more than a session's pages have in common."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a word; `frequency` goes from 0, rare, to 99."""

    frequency: int
    vector: Vector
    """Of length 1."""


class WordVectors:
    """Looks words up in the file that tests/judge/make_word_vectors.py makes."""

    def __init__(self, path: Path) -> None:
        """Map the file into memory; the system reads the pages that are looked at.

        Raises:
            OSError, ValueError: it can't be read.
        """
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._begin = 0
        while self._map[self._begin : self._begin + 1] == b"#":
            self._begin = self._map.find(b"\n", self._begin) + 1
        self.exact = lru_cache(maxsize=_CACHED)(self.look_up)
        self.find = lru_cache(maxsize=_CACHED)(self._find)

    def _find(self, word: str) -> Known | None:
        """Return what is known of a folded word, or else of what it is without its ending."""
        if known := self.exact(word):
            return known
        for end in range(len(word) - 1, max(_SHORTEST_STEM, len(word) - _LONGEST_ENDING) - 1, -1):
            if known := self.exact(word[:end]):
                return known
        return None

    def cut(self, run: str) -> list[str]:
        """Return the known words of a run without spaces, the longest first at each place."""
        found, at = [], 0
        while at < len(run):
            ends = range(min(len(run), at + _LONGEST_RUN), at + 1, -1)
            end = next((end for end in ends if self.exact(run[at:end])), None)
            if end is not None:
                found.append(run[at:end])
            at = end or at + 1
        return found

    def look_up(self, word: str) -> Known | None:
        """Return what is known of a folded word, and keep nothing of it at hand."""
        wanted = word.encode()
        low, high = self._begin, len(self._map)
        while low < high:
            begin = self._map.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self._map.find(b"\n", begin, high)
            if end < 0:
                end = high
            found, _, rest = self._map[begin:end].partition(b" ")
            if found == wanted:
                return _known(rest)
            low, high = (end + 1, high) if found < wanted else (low, begin)
        return None


def closeness(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors of length 1."""
    return float(sum(map(mul, one, other)))


def scaled(numbers: Sequence[float]) -> Vector:
    """Return the vector at length 1; of length 0 it stays as it is."""
    length = sum(map(mul, numbers, numbers)) ** 0.5
    return tuple(number / length for number in numbers) if length else tuple(numbers)


def _known(rest: bytes) -> Known:
    frequency, _, encoded = rest.partition(b" ")
    return Known(int(frequency), scaled(list(memoryview(a2b_base64(encoded)).cast("b"))))

"""What a benchmark finds: a figure, what it is held against, and whether it holds."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A figure, and the reference that its ratio is taken to; both in `unit`.

    Only the ratio has limits: a figure of its own says more about the machine than about the code.
    A reference is measured in the same run, or is a promise, such as 10 ms.
    """

    name: str
    unit: str
    median: float
    p99: float | None = None
    against: str = ""
    reference: float = 0.0
    at_most: float | None = None
    at_least: float | None = None

    @property
    def ratio(self) -> float | None:
        """The figure as a multiple of the reference; None when it stands alone."""
        return self.median / self.reference if self.reference else None

    @property
    def holds(self) -> bool:
        """Whether the ratio is within its limits; a row without limits only tells."""
        if self.ratio is None:
            return self.at_most is None and self.at_least is None
        above = self.at_most is None or self.ratio <= self.at_most
        return above and (self.at_least is None or self.ratio >= self.at_least)


def median(samples: Sequence[float]) -> float:
    """Return the median."""
    return statistics.median(samples)


def p99(samples: Sequence[float]) -> float:
    """Return the 99th percentile: the largest but for one in a hundred."""
    return sorted(samples)[max(0, -(-len(samples) * 99 // 100) - 1)]

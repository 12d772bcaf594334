"""What the judge has learnt: how much each feature speaks for drift, and where the lines are."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

_Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of weights.json."""

    made_by: str
    """The command that makes the file."""
    drift_from: _Share
    """The score from which a window is drift."""
    on_task_to: _Share
    """The score up to which it is on task; between the two nobody can tell."""
    weights: dict[str, float]
    """By feature; what isn't here doesn't count."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """The weights, ready to be used."""

    weights: Weights

    def score(self, features: Mapping[str, float], evidence: float = 0.0) -> float:
        """Return how likely drift is, from 0 to 1.

        `evidence` is what else is known, as the logarithm of odds: above 0 it speaks for drift.
        """
        known = self.weights.weights
        total = known.get("bias", 0.0) + evidence
        total += sum(value * known.get(name, 0.0) for name, value in features.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))

    def decide(self, score: float) -> bool | None:
        """Return whether a window of that score is on task; None between the lines."""
        if score >= self.weights.drift_from:
            return False
        return True if score <= self.weights.on_task_to else None


def load_weights(path: Path) -> Learnt:
    """Return what the file says.

    Raises:
        OSError, msgspec.ValidationError, msgspec.DecodeError: it can't be read.
    """
    return Learnt(msgspec.json.decode(path.read_bytes(), type=Weights))

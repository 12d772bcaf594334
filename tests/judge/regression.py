"""Logistic regression by Newton's method, in plain Python: the same data give the same weights."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

BIAS = "bias"
_STEPS = 8
_PENALTY = 1.0
_BIAS_PENALTY = 0.001


@dataclass(frozen=True, slots=True)
class Example:
    """The features of a window, whether it was drift, and how much it counts."""

    features: Mapping[str, float]
    is_drift: bool
    weight: float


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights by feature, the bias among them; large weights are penalised."""
    names = [BIAS, *sorted({name for each in examples for name in each.features})]
    place = {name: at for at, name in enumerate(names)}
    rows = [
        [(0, 1.0), *((place[n], v) for n, v in sorted(e.features.items()) if v)] for e in examples
    ]
    weights = [0.0] * len(names)
    for _ in range(_STEPS):
        gradient, curvature = _slopes(examples, rows, weights)
        step = _solve(curvature, gradient)
        weights = [weight - change for weight, change in zip(weights, step, strict=True)]
    return dict(zip(names, weights, strict=True))


def total(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Return the logarithm of the odds of drift."""
    return weights.get(BIAS, 0.0) + sum(v * weights.get(n, 0.0) for n, v in features.items())


def _slopes(
    examples: Sequence[Example], rows: Sequence[list[tuple[int, float]]], weights: list[float]
) -> tuple[list[float], list[list[float]]]:
    penalties = [_BIAS_PENALTY] + [_PENALTY] * (len(weights) - 1)
    gradient = [penalty * weight for penalty, weight in zip(penalties, weights, strict=True)]
    curvature = [[0.0] * len(weights) for _ in weights]
    for at, penalty in enumerate(penalties):
        curvature[at][at] = penalty
    for each, row in zip(examples, rows, strict=True):
        share = 1 / (1 + math.exp(-sum(value * weights[at] for at, value in row)))
        slope, bend = each.weight * (share - each.is_drift), each.weight * share * (1 - share)
        for at, value in row:
            gradient[at] += slope * value
            line, product = curvature[at], bend * value
            for other, factor in row:
                line[other] += product * factor
    return gradient, curvature


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return x of `matrix` x = `right`, for a symmetric positive definite matrix (Gauss)."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for at, pivot in enumerate(rows):
        for row in rows[at + 1 :]:
            if factor := row[at] / pivot[at]:
                for column in range(at, len(row)):
                    row[column] -= factor * pivot[column]
    solved = [0.0] * len(rows)
    for at in reversed(range(len(rows))):
        row = rows[at]
        known = sum(row[other] * solved[other] for other in range(at + 1, len(rows)))
        solved[at] = (row[-1] - known) / row[at]
    return solved

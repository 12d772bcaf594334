"""Scores each window by weights that were learnt from other commitments."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from antidriftd.adapters.advisor.local.judge import LocalDriftJudge
from antidriftd.evaluation.cases import Case
from tests.judge.regression import Example, fit, total

FOLDS = 10
_INNER_FOLDS = 10
_STRIDES = (4, 11, 18, 27, 37, 46)
"""How many commitments on the foreign ones lie, under which drift is shown again."""
_FALSE_INTERRUPTS = 0.045
"""Aimed at below the 5 % that are allowed, since a line that is drawn on few cases wavers."""
_DRIFT_CALLED_ON_TASK = 0.08


Origin = Literal["labelled", "swap", "strayed"]
"""Labelled by itself; on task at home and shown under a foreign commitment; or drift at both."""


FOREIGN_WEIGHTS: Mapping[Origin, float] = {"labelled": 1.0, "swap": 0.4, "strayed": 0.4}
"""How much a window under a foreign commitment counts beside one that was labelled by itself."""

Fit = Callable[[Sequence[Example]], dict[str, float]]
"""Learns weights by feature."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A case under a commitment, the commitment that it stems from, and why it stands there."""

    case: Case
    home: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Row:
    """A case with its features, and the commitments that its text stems from."""

    case: Case
    example: Example
    sources: frozenset[str]
    origin: Origin
    is_quiet: bool


@dataclass(frozen=True, slots=True)
class Lines:
    """The totals from which a window is drift, and up to which it is on task."""

    drift_from: float
    on_task_to: float


@dataclass(frozen=True, slots=True)
class Held:
    """A held-out row: its total, and the lines that were drawn without it."""

    row: Row
    total: float
    lines: Lines


def rows_of(judge: LocalDriftJudge, dev: Sequence[Case], swaps: Sequence[Case]) -> list[Row]:
    """Return the cases with their features, and after them those under foreign commitments.

    What is drift under its own commitment is so under those of other people: that shows how a
    window that has nothing to do with the plan looks, and keeps the share of drift as it is.
    """
    rows = []
    for placed in placed_cases(dev, swaps):
        _, found = judge.compare(*placed.case.question())
        if not (found.is_quiet and placed.origin == "strayed"):
            weight = FOREIGN_WEIGHTS[placed.origin]
            rows.append(row_of(placed, found.features, weight, is_quiet=found.is_quiet))
    return rows


def row_of(placed: Placed, features: Mapping[str, float], weight: float, *, is_quiet: bool) -> Row:
    """Return the row of a case."""
    case = placed.case
    example = Example(features, case.label == "drift", weight)
    sources = frozenset({case.commitment_id, placed.home})
    return Row(case, example, sources, placed.origin, is_quiet)


def placed_cases(dev: Sequence[Case], swaps: Sequence[Case]) -> Iterator[Placed]:
    """Yield the cases, and after them those under foreign commitments."""
    home = {case.id: case.commitment_id for case in dev}
    for case in dev:
        yield Placed(case, case.commitment_id, "labelled")
    for case in swaps:
        if case.id not in home:
            yield Placed(case, home[case.pair], "swap")
    for case, there in _strays(dev):
        yield Placed(there, case.commitment_id, "strayed")


def _strays(dev: Sequence[Case]) -> Iterator[tuple[Case, Case]]:
    """Yield each drift with what it is under other commitments."""
    by_commitment = {case.commitment_id: case for case in dev}
    names = sorted(by_commitment)
    for case in dev:
        if case.label == "drift":
            for stride in _STRIDES:
                there = names[(names.index(case.commitment_id) + stride) % len(names)]
                commitment = by_commitment[there].commitment
                yield case, replace(case, commitment=commitment, commitment_id=there)


def cross_validate(rows: Sequence[Row], fit: Fit = fit) -> Iterator[Held]:
    """Yield every row under weights and lines from commitments that it has nothing to do with."""
    for inside, outside in _folds(rows, FOLDS):
        weights = fit([row.example for row in inside])
        lines = draw_lines(inside, fit)
        for row in outside:
            yield Held(row, total(weights, row.example.features), lines)


def draw_lines(rows: Sequence[Row], fit: Fit = fit) -> Lines:
    """Return the lines that keep false interrupts low, found on held-out parts of `rows`."""
    drift: list[float] = []
    others: list[float] = []
    for inside, outside in _folds(rows, _INNER_FOLDS):
        weights = fit([row.example for row in inside])
        for row in outside:
            if row.origin == "labelled" and not row.is_quiet:
                found = drift if row.example.is_drift else others
                found.append(total(weights, row.example.features))
    others.sort()
    drift.sort()
    harmless = sum(row.origin == "labelled" and not row.example.is_drift for row in rows)
    drift_from = others[-1 - int(harmless * _FALSE_INTERRUPTS)]
    return Lines(drift_from, min(drift_from, drift[int(len(drift) * _DRIFT_CALLED_ON_TASK)]))


def _folds(rows: Sequence[Row], count: int) -> Iterator[tuple[list[Row], list[Row]]]:
    """Yield what is learnt from and what is held out; a commitment is wholly on one side."""
    commitments = sorted({row.case.commitment_id for row in rows if row.origin == "labelled"})
    fold_of = {commitment: at % count for at, commitment in enumerate(commitments)}
    for fold in range(count):
        held = {commitment for commitment, at in fold_of.items() if at == fold}
        inside = [row for row in rows if not row.sources & held]
        yield inside, [row for row in rows if row.case.commitment_id in held]

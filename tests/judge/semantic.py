"""`python -m tests.judge.semantic`: the same for the judge with the sentence model.

With `train`, writes its weights. It needs the extra `semantic`, whose numpy solves here what
tests/judge/regression.py does without: there are eight times as many features.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import aclosing

import numpy as np
import trio

from antidriftd.adapters.advisor.local.entries import DataFiles
from antidriftd.adapters.advisor.local.judge import JUDGE_DATA, LocalDriftJudge
from antidriftd.adapters.advisor.semantic.encoder import ProgramEncoder, model_command
from antidriftd.adapters.advisor.semantic.judge import SEMANTIC_DATA
from antidriftd.adapters.advisor.semantic.similarities import similarities
from antidriftd.evaluation.cases import Case, read_cases
from tests.checkout import ROOT
from tests.judge.__main__ import report, trained
from tests.judge.crossvalidation import Origin, Row, cross_validate, placed_cases, row_of
from tests.judge.regression import BIAS, Example

DATA = ROOT / "tests" / "data"
TARGET = SEMANTIC_DATA / "weights.json"
_WEIGHTS: Mapping[Origin, float] = {"labelled": 1.0, "swap": 0.4, "strayed": 0.1}
"""The model sees by itself that two texts have nothing in common: it needs fewer strays."""
_STEPS = 8
_PENALTY = 1.0
_BIAS_PENALTY = 0.001


def main(arguments: Sequence[str]) -> None:
    """Measure, or train."""
    dev, swaps = read_cases(DATA / "dev.jsonl"), read_cases(DATA / "swap_dev.jsonl")
    rows = trio.run(rows_of, dev, swaps)
    if arguments == ["train"]:
        TARGET.write_bytes(trained(rows, "python -m tests.judge.semantic train", fit))
        return
    report("semantic", dev, list(cross_validate(rows, fit)))


async def rows_of(dev: Sequence[Case], swaps: Sequence[Case]) -> list[Row]:
    """Return the rows of the local judge's training, with what the sentence model adds to each."""
    judge = LocalDriftJudge(DataFiles(JUDGE_DATA))
    rows = []
    async with aclosing(ProgramEncoder(model_command(), os.environ)) as encoder:
        for placed in placed_cases(dev, swaps):
            commitment, window = placed.case.question()
            sight, found = judge.compare(commitment, window)
            if found.is_quiet and placed.origin == "strayed":
                continue
            near = await similarities(sight, found.features, commitment, encoder)
            weight = _WEIGHTS[placed.origin]
            rows.append(row_of(placed, {**found.features, **near}, weight, is_quiet=found.is_quiet))
    return rows


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights by feature, as tests.judge.regression.fit does."""
    names = sorted({name for each in examples for name in each.features})
    features = np.array([[1.0, *(e.features.get(n, 0.0) for n in names)] for e in examples])
    is_drift = np.array([float(each.is_drift) for each in examples])
    counts = np.array([each.weight for each in examples])
    penalties = np.array([_BIAS_PENALTY] + [_PENALTY] * len(names))
    weights = np.zeros(len(names) + 1)
    for _ in range(_STEPS):
        share = 1 / (1 + np.exp(-(features @ weights)))
        gradient = penalties * weights + features.T @ (counts * (share - is_drift))
        bend = (features * (counts * share * (1 - share))[:, None]).T @ features
        weights = weights - np.linalg.solve(np.diag(penalties) + bend, gradient)
    return dict(zip([BIAS, *names], weights.tolist(), strict=True))


if __name__ == "__main__":
    main(sys.argv[1:])

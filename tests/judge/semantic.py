"""`python -m tests.judge.semantic`: the same for the judge with the sentence model.

With `train`, writes its weights. It needs the extra `semantic`, whose numpy solves here what
tests/judge/regression.py does without: there are eight times as many features.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from statistics import median

import numpy as np
import trio

from antidriftd.adapters.advisor.local.entries import DataFiles
from antidriftd.adapters.advisor.local.judge import JUDGE_DATA, LocalDriftJudge
from antidriftd.adapters.advisor.semantic.encoder import ProgramEncoder, model_command
from antidriftd.adapters.advisor.semantic.judge import SEMANTIC_DATA, SemanticDriftJudge
from antidriftd.adapters.advisor.semantic.similarities import is_english, similarities
from antidriftd.adapters.advisor.semantic.word_pieces import VOCABULARY, WordPieces
from antidriftd.evaluation.cases import Case, read_cases
from tests.checkout import ROOT
from tests.judge.__main__ import report, trained
from tests.judge.crossvalidation import Held, Origin, Row, cross_validate, placed_cases, row_of
from tests.judge.crossvalidation import rows_of as local_rows_of
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
    local = LocalDriftJudge(DataFiles(JUDGE_DATA))
    alone = list(cross_validate(local_rows_of(local, dev, swaps), fit))
    held = as_the_judge_does(local, list(cross_validate(rows, fit)), alone)
    report("semantic", dev, held, beside={"local": alone})
    print(f"\nmedian {1000 * trio.run(median_secs, local, dev):.1f} ms a window")


def as_the_judge_does(
    local: LocalDriftJudge, held: Sequence[Held], alone: Sequence[Held]
) -> list[Held]:
    """Return the rows as held, and as the local judge has them alone where it is left to that."""
    pieces = WordPieces(VOCABULARY)

    def is_known(each: Held) -> bool:
        commitment, window = each.row.case.question()
        return is_english(local.compare(commitment, window)[0], commitment, pieces)

    return [one if is_known(one) else other for one, other in zip(held, alone, strict=True)]


async def median_secs(local: LocalDriftJudge, dev: Sequence[Case]) -> float:
    """Return how long a window takes with the program running."""
    took = []
    async with aclosing(ProgramEncoder(model_command(), os.environ)) as encoder:
        judge = SemanticDriftJudge(local, encoder)
        await judge.judge(*dev[0].question())
        for case in dev:
            began = trio.current_time()
            await judge.judge(*case.question())
            took.append(trio.current_time() - began)
    return median(took)


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

"""The training: it finds what is there, and makes the committed weights."""

import pytest

from antidriftd.adapters.advisor.local.entries import DataFiles
from antidriftd.adapters.advisor.local.judge import JUDGE_DATA, LocalDriftJudge
from antidriftd.adapters.advisor.local.weights import load_weights
from antidriftd.evaluation.cases import read_cases
from tests.checkout import ROOT
from tests.judge.crossvalidation import draw_lines, rows_of
from tests.judge.regression import Example, fit, total

DATA = ROOT / "tests" / "data"


def test_a_regression_finds_the_odds() -> None:
    examples = [Example({"a": 1.0}, is_drift=at < 75, weight=1.0) for at in range(100)]
    examples += [Example({}, is_drift=at < 50, weight=1.0) for at in range(100)]
    weights = fit(examples)
    assert weights["bias"] == pytest.approx(0, abs=0.1)
    assert total(weights, {"a": 1.0}) == pytest.approx(1.0986, abs=0.1)


def test_the_committed_weights_are_those_that_the_data_give() -> None:
    judge = LocalDriftJudge(DataFiles(JUDGE_DATA))
    dev, swaps = read_cases(DATA / "dev.jsonl"), read_cases(DATA / "swap_dev.jsonl")
    rows = rows_of(judge, dev, swaps)
    committed = load_weights(JUDGE_DATA / "weights.json").weights.weights
    # Rounded when written; the last digit may differ from one C library to another.
    assert fit([row.example for row in rows]) == pytest.approx(committed, abs=0.01)
    lines = draw_lines(rows)
    assert lines.on_task_to < lines.drift_from

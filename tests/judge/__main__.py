"""`python -m tests.judge`: cross-validates the built-in judge; with `train`, writes its weights.

The measuring takes the weights' place from the data alone: weights.json is not looked at.
"""

import math
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from antidriftd.adapters.advisor.local.entries import DataFiles
from antidriftd.adapters.advisor.local.judge import JUDGE_DATA, LocalDriftJudge
from antidriftd.adapters.advisor.local.weights import Weights
from antidriftd.evaluation.cases import Case, read_cases
from antidriftd.evaluation.measures import Judged, auc, measure
from antidriftd.evaluation.report import row, table
from tests.checkout import ROOT
from tests.judge.baselines import baselines
from tests.judge.crossvalidation import Fit, Held, Row, cross_validate, draw_lines, rows_of
from tests.judge.regression import fit

DATA = ROOT / "tests" / "data"
TARGET = JUDGE_DATA / "weights.json"
_NONE: Mapping[str, Sequence[Held]] = MappingProxyType({})


def main(arguments: Sequence[str]) -> None:
    """Measure, or train."""
    judge = LocalDriftJudge(DataFiles(JUDGE_DATA))
    dev, swaps = read_cases(DATA / "dev.jsonl"), read_cases(DATA / "swap_dev.jsonl")
    rows = rows_of(judge, dev, swaps)
    if arguments == ["train"]:
        TARGET.write_bytes(trained(rows, "python -m tests.judge train", fit))
        return
    report("local", dev, list(cross_validate(rows)))


def report(
    name: str, dev: list[Case], held: Sequence[Held], beside: Mapping[str, Sequence[Held]] = _NONE
) -> None:
    """Print what a judge reached on held-out commitments, beside others and simple judges."""
    judged = in_order(dev, held)
    print("\n".join(table(judged, f"{name}, each commitment by weights from others")))
    pairs = sum(each.row.origin == "swap" for each in held)
    print(f"\nswap AUC {swap_auc(held):.3f}, of {pairs} pairs\n")
    others = [(who, in_order(dev, each)) for who, each in beside.items()]
    for who, said in (*baselines(dev), *others, (name, judged)):
        print(row(who, measure(said, with_auc_interval=False)))


def in_order(dev: Sequence[Case], held: Sequence[Held]) -> list[Judged]:
    """Return the labelled cases of `dev` as they were judged."""
    by_id = {each.row.case.id: each for each in held if each.row.origin == "labelled"}
    return [as_judged(by_id[case.id]) for case in dev]


def trained(rows: Sequence[Row], command: str, fit: Fit) -> bytes:
    """Return the content of weights.json, learnt from all of the rows by `command`."""
    weights = fit([each.example for each in rows])
    lines = draw_lines(rows, fit)
    content = Weights(
        made_by=f"{command}, from tests/data/dev.jsonl and swap_dev.jsonl",
        drift_from=round(_share(lines.drift_from), 4),
        on_task_to=round(_share(lines.on_task_to), 4),
        weights={name: round(weight, 3) for name, weight in sorted(weights.items())},
    )
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def as_judged(held: Held) -> Judged:
    """Return a held-out case as an evaluation has it."""
    case = held.row.case
    if held.row.is_quiet:
        verdict = "unsure"
    elif held.total >= held.lines.drift_from:
        verdict = "drift"
    else:
        verdict = "on_task" if held.total <= held.lines.on_task_to else "unsure"
    return Judged(case.id, case.label, verdict, held.total, "", case.kind, case.lang)


def swap_auc(held: Sequence[Held]) -> float:
    """Return how often a window scores lower under its own commitment than others elsewhere."""
    own = {each.row.case.id: each.total for each in held if each.row.origin == "labelled"}
    foreign = [each for each in held if each.row.origin == "swap"]
    homes = [own[each.row.case.pair] for each in foreign]
    return auc([each.total for each in foreign], homes) or 0.0


def _share(number: float) -> float:
    return 1 / (1 + math.exp(-number))


if __name__ == "__main__":
    main(sys.argv[1:])

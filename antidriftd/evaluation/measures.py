"""Figures of a judge: precision, recall, false interrupts and AUC, each with its interval."""

import bisect
import math
import random
from collections.abc import Iterable, Sequence

import msgspec

from antidriftd.evaluation.cases import Label

_Z = 1.959964
"""95 % of the normal distribution lie within."""
_RESAMPLES = 500


class Judged(msgspec.Struct, frozen=True):
    """A case and what the judge said of it; the score rises with drift."""

    id: str
    label: Label
    verdict: str
    """`on_task`, `drift` or `unsure`."""
    score: float
    reason: str
    kind: str = ""
    lang: str = ""


class Share(msgspec.Struct, frozen=True):
    """A part of a whole, with its 95 % interval; without a whole, null."""

    value: float | None
    low: float | None
    high: float | None
    of: int


class Figures(msgspec.Struct, frozen=True):
    """What a judge did on some cases."""

    cases: int
    precision: Share
    recall: Share
    false_interrupt_rate: Share
    unsure: Share
    auc: Share


def measure(judged: Sequence[Judged], *, with_auc_interval: bool = True) -> Figures:
    """Return the figures; false interrupts are on_task and neutral windows called drift."""
    drift = [each for each in judged if each.label == "drift"]
    others = [each for each in judged if each.label != "drift"]
    caught = sum(each.verdict == "drift" for each in drift)
    wrong = sum(each.verdict == "drift" for each in others)
    unsure = sum(each.verdict == "unsure" for each in judged)
    return Figures(
        cases=len(judged),
        precision=wilson(caught, caught + wrong),
        recall=wilson(caught, len(drift)),
        false_interrupt_rate=wilson(wrong, len(others)),
        unsure=wilson(unsure, len(judged)),
        auc=_auc_share(
            [each.score for each in drift], [each.score for each in others], with_auc_interval
        ),
    )


def grouped(judged: Iterable[Judged], member: str) -> dict[str, Figures]:
    """Return the figures by `kind` or `lang`, the largest group first."""
    groups: dict[str, list[Judged]] = {}
    for each in judged:
        groups.setdefault(getattr(each, member) or "-", []).append(each)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return {name: measure(group, with_auc_interval=False) for name, group in ordered}


def wilson(hits: int, of: int) -> Share:
    """Return the share with Wilson's score interval (E. B. Wilson, JASA 22, 1927)."""
    if not of:
        return Share(None, None, None, 0)
    share = hits / of
    centre = (share + _Z * _Z / (2 * of)) / (1 + _Z * _Z / of)
    spread = _Z * math.sqrt(share * (1 - share) / of + _Z * _Z / (4 * of * of)) / (1 + _Z * _Z / of)
    return Share(share, max(0.0, centre - spread), min(1.0, centre + spread), of)


def auc(drift: Sequence[float], others: Sequence[float]) -> float | None:
    """Return how often a drift scores above another window; ties count half, None without both."""
    if not drift or not others:
        return None
    ordered = sorted(others)
    below = sum(bisect.bisect_left(ordered, score) for score in drift)
    upto = sum(bisect.bisect_right(ordered, score) for score in drift)
    return (below + upto) / 2 / len(drift) / len(others)


def _auc_share(drift: list[float], others: list[float], with_interval: bool) -> Share:
    value = auc(drift, others)
    of = len(drift) + len(others)
    if value is None or not with_interval:
        return Share(value, None, None, of)
    draw = random.Random(0)  # noqa: S311  resampling, the same each time
    found = sorted(
        auc(draw.choices(drift, k=len(drift)), draw.choices(others, k=len(others))) or 0.0
        for _ in range(_RESAMPLES)
    )
    return Share(value, found[round(_RESAMPLES * 0.025)], found[round(_RESAMPLES * 0.975) - 1], of)

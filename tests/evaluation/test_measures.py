"""The figures of a judge, against hand-made ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.evaluation.cases import Label
from antidriftd.evaluation.measures import Judged, auc, grouped, measure, wilson


def judged(label: Label, verdict: str, score: float, kind: str = "") -> Judged:
    return Judged("x", label, verdict, score, "", kind)


SOME = [
    judged("drift", "drift", 0.9, "video"),
    judged("drift", "unsure", 0.5, "video"),
    judged("on_task", "drift", 0.8, "docs"),
    judged("on_task", "on_task", 0.1, "docs"),
    judged("neutral", "unsure", 0.5),
]


def test_the_figures_are_those_of_a_hand_count() -> None:
    figures = measure(SOME)
    assert figures.cases == 5
    assert figures.precision.value == 1 / 2
    assert figures.recall.value == 1 / 2
    assert figures.false_interrupt_rate.value == 1 / 3
    assert figures.unsure.value == 2 / 5
    assert figures.auc.value == pytest.approx((3 + 1.5) / 6)


def test_figures_without_cases_are_null() -> None:
    figures = measure([judged("on_task", "on_task", 0.1)])
    assert figures.recall.value is None
    assert figures.precision.value is None
    assert figures.auc.value is None


def test_groups_are_measured_apart_the_largest_first() -> None:
    groups = grouped([*SOME, judged("drift", "drift", 1.0, "video")], "kind")
    assert list(groups) == ["video", "docs", "-"]
    assert groups["video"].recall.value == pytest.approx(2 / 3)


def test_wilsons_interval_is_that_of_the_textbook() -> None:
    share = wilson(8, 10)
    assert share.low == pytest.approx(0.4902, abs=0.0005)
    assert share.high == pytest.approx(0.9433, abs=0.0005)


@given(st.integers(0, 50), st.integers(1, 50))
def test_an_interval_holds_its_share(hits: int, more: int) -> None:
    share = wilson(hits, hits + more)
    assert share.low is not None
    assert share.high is not None
    assert share.value is not None
    assert 0 <= share.low <= share.value + 1e-9
    assert share.value - 1e-9 <= share.high <= 1


def test_an_auc_interval_is_the_same_each_time_and_holds_the_value() -> None:
    many = [judged("drift", "drift", at / 7) for at in range(20)]
    many += [judged("on_task", "on_task", at / 9) for at in range(20)]
    share = measure(many).auc
    assert share == measure(many).auc
    assert share.low is not None
    assert share.high is not None
    assert share.value is not None
    assert share.low < share.value < share.high


@pytest.mark.parametrize(
    ("drift", "others", "area"),
    [([1.0], [0.0], 1.0), ([0.0], [1.0], 0.0), ([1.0], [1.0], 0.5), ([2.0, 0.0], [1.0], 0.5)],
)
def test_the_auc_counts_pairs(drift: list[float], others: list[float], area: float) -> None:
    assert auc(drift, others) == area

"""Writes an evaluation down: as a table to read, or as JSON."""

from collections.abc import Iterator, Sequence

import msgspec

from antidriftd.evaluation.measures import Figures, Judged, Share, grouped, measure
from protocol.visible import one_line

_NAME_WIDTH = 26


def table(judged: Sequence[Judged], backend: str) -> Iterator[str]:
    """Yield the lines of a report: the figures of all, by kind and by language."""
    yield f"{len(judged)} cases, judged by {backend}; shares in %, with 95 % intervals"
    yield ""
    yield from _whole(measure(judged))
    for title, member in (("by kind", "kind"), ("by language", "lang")):
        yield ""
        yield f"{title:<{_NAME_WIDTH}} cases   P    R   FIR unsure AUC"
        for name, figures in grouped(judged, member).items():
            yield row(one_line(name, _NAME_WIDTH - 2), figures)
    yield ""
    yield "P precision, R recall of drift, FIR on_task and neutral windows called drift"


def row(name: str, figures: Figures) -> str:
    """Return a line of a table of figures."""
    shares = (figures.precision, figures.recall, figures.false_interrupt_rate, figures.unsure)
    cells = "".join(f"{_percent(share):>5}" for share in shares)
    area = "-" if figures.auc.value is None else f"{figures.auc.value:.2f}"
    return f"{name:<{_NAME_WIDTH}} {figures.cases:>5}{cells}  {area:>5}"


def as_json(judged: Sequence[Judged], backend: str) -> bytes:
    """Return the evaluation as one JSON object."""
    figures = measure(judged)
    return msgspec.json.encode(
        {
            "backend": backend,
            "cases": figures.cases,
            "precision": figures.precision.value,
            "recall": figures.recall.value,
            "false_interrupt_rate": figures.false_interrupt_rate.value,
            "auc": figures.auc.value,
            "unsure": figures.unsure.value,
            "intervals": figures,
            "by_kind": grouped(judged, "kind"),
            "by_language": grouped(judged, "lang"),
        }
    )


def case_as_json(judged: Judged) -> bytes:
    """Return one case as a JSON object, without what the file says of it besides its label."""
    return msgspec.json.encode(
        {
            "id": judged.id,
            "label": judged.label,
            "verdict": judged.verdict,
            "score": judged.score,
            "reason": judged.reason,
        }
    )


def _whole(figures: Figures) -> Iterator[str]:
    for name, share in (
        ("precision", figures.precision),
        ("recall of drift", figures.recall),
        ("false interrupts", figures.false_interrupt_rate),
        ("can't tell", figures.unsure),
    ):
        head = f"{name:<{_NAME_WIDTH}} {_percent(share):>5}"
        yield f"{head}   {_interval(share, 100, 0)}  of {share.of}"
    area = "-" if figures.auc.value is None else f"{figures.auc.value:.3f}"
    yield f"{'AUC':<{_NAME_WIDTH}} {area:>5}   {_interval(figures.auc, 1, 3)}"


def _percent(share: Share) -> str:
    return "-" if share.value is None else f"{share.value * 100:.0f}"


def _interval(share: Share, scale: int, digits: int) -> str:
    if share.low is None or share.high is None:
        return ""
    return f"({share.low * scale:.{digits}f} to {share.high * scale:.{digits}f})"

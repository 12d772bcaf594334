"""The ledger of spans: how it grows, what an absence makes of it, and what is settled."""

import pytest

from antidriftd.core import ledger
from antidriftd.core.evidence import Bucket
from antidriftd.core.ledger import Span


def span(began: float, secs: float, bucket: Bucket = "ontask", name: str = "code") -> Span:
    return Span(began, secs, name, "", bucket)


def test_what_goes_on_lengthens_the_last_span() -> None:
    spans = ledger.append((span(0, 10),), span(10, 5))

    assert spans == (span(0, 15),)


@pytest.mark.parametrize(
    "next_one",
    [
        span(10, 5, "drift"),
        span(10, 5, name="vim"),
        span(11, 5),
        Span(10, 5, "code", "x", "ontask"),
    ],
)
def test_anything_else_begins_one(next_one: Span) -> None:
    assert ledger.append((span(0, 10),), next_one) == (span(0, 10), next_one)


def test_no_time_is_no_span() -> None:
    assert ledger.append((), span(0, 0)) == ()


def test_an_absence_takes_all_since_it_began_but_for_drift() -> None:
    spans = (span(0, 10), span(10, 10, "drift"), span(20, 10, "unjudged"), span(30, 5, "away"))
    turned, moved = ledger.turn_away(spans, 6)

    assert turned == (
        span(0, 6),
        span(6, 4, "away"),
        span(10, 10, "drift"),
        span(20, 10, "away"),
        span(30, 5, "away"),
    )
    assert moved == (span(6, 4), span(20, 10, "unjudged"))


def test_an_absence_that_begins_now_takes_nothing() -> None:
    assert ledger.turn_away((span(0, 10),), 10) == ((span(0, 10),), ())


def test_an_absence_can_be_cut_out_again() -> None:
    spans = (span(0, 6, "away"), span(6, 4), span(10, 10, "away"), span(20, 3, "drift"))

    assert ledger.cut_absence(spans, 10) == (
        (span(0, 6, "away"), span(6, 4), span(20, 3, "drift")),
        (span(10, 10, "away"),),
    )


def test_what_ended_in_time_is_settled_but_for_the_last() -> None:
    spans = (span(0, 10), span(10, 10, "drift"), span(20, 10))

    assert ledger.settle(spans, 20) == (spans[:2], spans[2:])
    assert ledger.settle(spans, 19) == (spans[:1], spans[1:])
    assert ledger.settle(spans, 100) == (spans[:2], spans[2:])


def test_too_many_are_settled_whatever_may_come() -> None:
    spans = tuple(span(at, 1, name=str(at)) for at in range(ledger.MAX_OPEN_SPANS + 3))
    settled, rest = ledger.settle(spans, 0)

    assert (len(settled), len(rest)) == (3, ledger.MAX_OPEN_SPANS)

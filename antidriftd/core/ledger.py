"""The ledger: a session's time as a row of spans, from which every total can be counted again."""

from collections.abc import Iterable
from typing import NamedTuple

from antidriftd.core.evidence import Bucket

MAX_OPEN_SPANS = 256
"""Beyond it the oldest are settled although they might still turn out to be an absence."""

_ROUNDING_SECS = 1e-6


class Span(NamedTuple):
    """A stretch of a session under one window and one bucket; times are on the boot clock.

    `switches` and `episodes` are how many the session had when it began: what happened in it is
    the difference to the next one.
    """

    began: float
    secs: float
    window_class: str
    title: str
    bucket: Bucket
    switches: int = 0
    episodes: int = 0

    @property
    def ended(self) -> float:
        """When it ended, as far as it has been counted."""
        return self.began + self.secs


def append(spans: tuple[Span, ...], span: Span) -> tuple[Span, ...]:
    """Return the spans with one more, or the last one longer if it goes on."""
    if span.secs <= 0:
        return spans
    last = spans[-1] if spans else None
    if last is None or not _goes_on(last, span):
        return (*spans, span)
    return (*spans[:-1], last._replace(secs=last.secs + span.secs))


def _goes_on(last: Span, span: Span) -> bool:
    same = (last.window_class, last.title, last.bucket)
    return (
        same == (span.window_class, span.title, span.bucket)
        and abs(last.ended - span.began) < _ROUNDING_SECS
    )


def turn_away(spans: Iterable[Span], since: float) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the spans with all time after `since` as an absence, and what it was before.

    Drift stays drift: a film is watched with idle hands.
    """
    turned: list[Span] = []
    moved: list[Span] = []
    for span in spans:
        if span.ended <= since or span.bucket in {"drift", "away"}:
            turned.append(span)
            continue
        kept_secs = max(0.0, since - span.began)
        gone = span._replace(began=span.began + kept_secs, secs=span.secs - kept_secs)
        if kept_secs > _ROUNDING_SECS:
            turned.append(span._replace(secs=kept_secs))
        moved.append(gone)
        turned.append(gone._replace(bucket="away"))
    return tuple(turned), tuple(moved)


def cut_absence(spans: Iterable[Span], since: float) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the spans without the absence that began at `since`, and what was cut."""
    kept: list[Span] = []
    gone: list[Span] = []
    for span in spans:
        is_part = span.bucket == "away" and span.began >= since - _ROUNDING_SECS
        (gone if is_part else kept).append(span)
    return tuple(kept), tuple(gone)


def settle(spans: tuple[Span, ...], until: float) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the spans that nothing can change any more, and those that are still open.

    Those that ended by `until` are settled, but for the last one, which may go on.
    """
    count = 0
    while count < len(spans) - 1 and spans[count].ended <= until:
        count += 1
    count = max(count, len(spans) - MAX_OPEN_SPANS)
    return spans[:count], spans[count:]

"""States with a title in every place where text from outside can stand, and what may come of it."""

import json
from functools import cache
from itertools import accumulate
from typing import Final

from msgspec.structs import replace

from protocol import views
from protocol.clusters import clusters
from protocol.visible import visible
from tests.cli.samples import DRIFTING, IN_TERMINAL, NOON, PROPOSED, REVIEW
from tests.hostile_titles import hidden_in

INNOCENT: Final = "innocent"

_CLASS_CHARS: Final = 256
"""What a sensor keeps of a class."""

_FITS: Final = 1100
"""Longer texts stand in the window and the drift only: a State may be only so long."""


def active(title: str) -> views.State:
    """Return a session that drifts, with `title` wherever it fits."""
    assert DRIFTING.commitment
    assert DRIFTING.evidence
    subject = views.Subject(window_class=title[:_CLASS_CHARS], title=title)
    given = title if len(title) <= _FITS else "long"
    return replace(
        DRIFTING,
        commitment=replace(
            DRIFTING.commitment,
            next_action=given,
            success_condition=given,
            allowed_window_classes=(given,),
            allowed_window_titles=(given, f"={given}"),
        ),
        window=views.Window(window_class=title[:_CLASS_CHARS], title=title, since=NOON),
        drift=views.Drift(
            status="drifting",
            reason=title,
            subject=subject,
            since=NOON,
            open_drift=views.OpenDrift(subject=subject, reason=title, since=NOON),
        ),
        evidence=replace(
            DRIFTING.evidence,
            by_class=(
                views.ClassEvidence(window_class=title[:_CLASS_CHARS], status="drift", secs=60),
            ),
        ),
        nudge=views.Nudge(text=given, at=NOON),
        sensor=views.Sensor(name="x11", status="unavailable", detail=given),
        notices=(given,),
        durable=False,
    )


def elsewhere(title: str) -> views.State:
    """Return a session in whose terminal somebody types, with an unanswered drift to `title`."""
    state = active(title)
    assert state.drift
    drift = views.Drift(status="idle", reason=title, open_drift=state.drift.open_drift)
    return replace(state, window=IN_TERMINAL.window, drift=drift)


def planning(title: str) -> views.State:
    """Return a plan, a proposal and tasks of this name."""
    given = title if len(title) <= _FITS else "long"
    proposal = views.Proposal(
        next_action=given,
        success_condition=given,
        timebox_secs=1500,
        allowed_window_classes=(given,),
    )
    return replace(
        PROPOSED,
        intent=given,
        coach=views.Coach(status="ready", proposal=proposal),
        knowledge=views.Knowledge(status="ready", path=f"/x/{given}"),
        tasks=views.Tasks(
            status="ready", items=(views.TaskItem(id=given, title=title, source=given),)
        ),
    )


def failed(title: str) -> views.State:
    """Return a plan for which everybody that was asked failed with this message."""
    return replace(
        planning(title),
        coach=views.Coach(status="error", error=title),
        knowledge=views.Knowledge(status="absent", path=title[:_FITS]),
        tasks=views.Tasks(status="error", error=title),
    )


def review(title: str) -> views.State:
    """Return a session that is over."""
    state = active(title)
    return replace(REVIEW, commitment=state.commitment, evidence=state.evidence)


EVERY: Final = (active, elsewhere, planning, failed, review)


def why(title: str) -> views.Why:
    """Return an explanation of a verdict on a window of this name, whose judge failed as well."""
    return views.Why(
        rule="judge",
        subject=views.Subject(window_class=title[:_CLASS_CHARS], title=title),
        on_task=False,
        reason=title,
        at=NOON,
        backend=title[:_FITS],
        took_secs=0.5,
        sent=f"Judge this window.\n{json.dumps({'title': title}, ensure_ascii=False)}",
        error=title,
    )


def faults(printed: str, usual: str, title: str) -> list[str]:
    """Return what is wrong with what was printed for a title, where `usual` is for an innocent one.

    There have to be the same lines, each of them the same up to where the title begins.
    """
    lines, others = printed.split("\n"), usual.split("\n")
    if len(lines) != len(others):
        return [f"{len(lines)} lines in place of {len(others)}"]
    found = []
    for line, other in zip(lines, others, strict=True):
        ours, foreign, _ = other.partition(INNOCENT)
        found += hidden_in(line)
        if not (line.startswith(ours) if foreign else line == ours):
            found.append(f"{line!r} in place of {other!r}")
        if is_torn(line, title):
            found.append(f"{line!r} is cut within a letter")
    return found


def is_torn(line: str, title: str) -> bool:
    """Return whether a shown `line` cuts `title` where none of its letters ends."""
    cuts = [at for at, char in enumerate(line) if char == "…"]
    return any(_longest_end(line[:at], visible(title[:_FITS])) not in _ends(title) for at in cuts)


@cache
def _ends(title: str) -> frozenset[int]:
    """Return after how many characters of the shown title a letter ends."""
    return frozenset(accumulate(map(len, clusters(visible(title[:_FITS]))), initial=0))


def _longest_end(kept: str, shown: str) -> int:
    """Return how many of the first characters of `shown` are what `kept` ends with."""
    sizes = range(min(len(kept), len(shown)), 0, -1)
    return next((size for size in sizes if kept.endswith(shown[:size])), 0)

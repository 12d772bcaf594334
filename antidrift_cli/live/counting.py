"""Time between two States: the daemon sends nothing while nothing changes, so we count along."""

import math
from typing import assert_never

from msgspec.structs import replace

from protocol.views import ClassEvidence, Evidence, EvidenceStatus, State


def secs_left(state: State, now: float) -> float | None:
    """Return how long the session has to go at `now`, below 0 in overtime; a pause stops it.

    Returns None when no time is counted: without a session, and once it is stale.
    """
    commitment = state.commitment
    if state.runtime != "active" or not commitment or commitment.stale:
        return None
    moment = commitment.paused_at.timestamp() if commitment.paused_at else now
    return commitment.ends_at.timestamp() - moment


def secs_to_next_second(left: float) -> float:
    """Return in how many seconds `left`, shown in whole seconds, reads differently."""
    return left - math.ceil(left) + 1


def secs_to_next_change(state: State, now: float) -> float | None:
    """Return in how many seconds time alone changes what is shown; None for never.

    In a pause it is the time away that grows.
    """
    left = secs_left(state, now)
    if left is None:
        return None
    paused_at = state.commitment.paused_at if state.commitment else None
    return secs_to_next_second(paused_at.timestamp() - now if paused_at else left)


def counted(state: State, now: float) -> Evidence | None:
    """Return the evidence of `state` as the daemon would count it at `now`.

    The time since its `as_of` goes to the status in force; a stale session counts none.
    """
    evidence = state.evidence
    if not evidence or secs_left(state, now) is None:
        return evidence
    passed = max(0.0, now - evidence.as_of.timestamp())
    status = _status_in_force(state)
    window_class = state.window.window_class if state.window else ""
    return replace(
        evidence,
        ontask_secs=evidence.ontask_secs + passed * (status == "ontask"),
        drift_secs=evidence.drift_secs + passed * (status == "drift"),
        unjudged_secs=evidence.unjudged_secs + passed * (status == "unjudged"),
        away_secs=evidence.away_secs + passed * (status == "away"),
        by_class=_with(evidence.by_class, window_class, status, passed),
    )


def _status_in_force(state: State) -> EvidenceStatus:
    if state.away:
        return "away"
    if not state.drift:
        return "unjudged"
    match state.drift.status:
        case "ontask":
            return "ontask"
        case "drifting":
            return "drift"
        case "idle" | "pending":
            return "unjudged"
        case _:
            assert_never(state.drift.status)


def _with(
    rows: tuple[ClassEvidence, ...], window_class: str, status: EvidenceStatus, passed: float
) -> tuple[ClassEvidence, ...]:
    """Return `rows` with `passed` seconds more in one of them, the largest first again."""
    secs = {(row.window_class, row.status): row.secs for row in rows}
    secs[window_class, status] = secs.get((window_class, status), 0.0) + passed
    largest = sorted(secs.items(), key=lambda item: -item[1])
    return tuple(
        ClassEvidence(window_class=name, status=status, secs=spent)
        for (name, status), spent in largest
    )

"""Time between two States: the daemon sends nothing while nothing changes, so we count along."""

import math
from typing import assert_never

from msgspec.structs import replace

from protocol.views import ClassEvidence, Evidence, EvidenceStatus, State


def secs_left(state: State, now: float) -> float | None:
    """Return how long the session has to go at `now`, below 0 in overtime.

    Returns None when no time is counted: without a session, and once it is stale.
    """
    if state.runtime != "active" or not state.commitment or state.commitment.stale:
        return None
    return state.commitment.ends_at.timestamp() - now


def secs_to_next_second(left: float) -> float:
    """Return in how many seconds `left`, shown in whole seconds, reads differently."""
    return left - math.ceil(left) + 1


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
        by_class=_with(evidence.by_class, window_class, status, passed),
    )


def length_secs(evidence: Evidence) -> float:
    """Return how long the session is."""
    return evidence.ontask_secs + evidence.drift_secs + evidence.unjudged_secs + evidence.away_secs


def _status_in_force(state: State) -> EvidenceStatus:
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

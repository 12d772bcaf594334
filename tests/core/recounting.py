"""Counts a session's numbers once more, from the raw intervals and what isn't settled yet."""

from collections.abc import Iterable
from typing import Any, TypeVar

import pytest

from antidriftd.core.recording_state import Interval, SessionEnded
from antidriftd.core.state import Active, Review, Session
from antidriftd.core.timekeeping import keep_time
from tests.builders import Machine

_K = TypeVar("_K")


def intervals_of(machine: Machine, session_id: str) -> list[Interval]:
    """Return all intervals of a session: those the history has, and those that wait for it."""
    known = dict(machine.history)
    known |= {entry.number: entry.record for entry in machine.state.recording.waiting}
    rows = [row for row in known.values() if isinstance(row, Interval)]
    return sorted((row for row in rows if row.session_id == session_id), key=lambda r: r.number)


def recount(machine: Machine) -> dict[str, Any]:
    """Return the session's numbers, counted from its intervals."""
    session, _ = _session(machine)
    if session is None:
        return {}
    rows = intervals_of(machine, session.session_id)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    parts = [((row.window_class, row.bucket), row.secs) for row in rows]
    parts += [((span.window_class, span.bucket), span.secs) for span in session.spans]
    return {
        "secs": _approximately(summed(parts)),
        "switches": sum(row.switches for row in rows),
        "episodes": sum(row.drift_episodes for row in rows),
    }


def recounted(machine: Machine) -> dict[str, Any]:
    """Return the same numbers as the session has them."""
    session, episodes = _session(machine)
    if session is None:
        return {}
    told, evidence = session.told, session.evidence
    is_over = isinstance(machine.state.phase, Review)
    return {
        "secs": _approximately(evidence.by_class),
        "switches": evidence.switches if is_over else told.switches,
        "episodes": episodes if is_over else told.episodes,
    }


def check_what_was_written(machine: Machine) -> None:
    """Check each session of the history against its intervals."""
    ended = [row for row in machine.history.values() if isinstance(row, SessionEnded)]
    assert len({row.session_id for row in ended}) == len(ended)
    for row in ended:
        rows = intervals_of(machine, row.session_id)
        secs = summed((each.bucket, each.secs) for each in rows)
        assert secs.get("ontask", 0.0) == pytest.approx(row.ontask_secs, abs=1e-3)
        assert secs.get("drift", 0.0) == pytest.approx(row.drift_secs, abs=1e-3)
        assert secs.get("unjudged", 0.0) == pytest.approx(row.unjudged_secs, abs=1e-3)
        assert secs.get("away", 0.0) == pytest.approx(row.away_secs, abs=1e-3)
        assert sum(each.switches for each in rows) == row.switches
        assert sum(each.drift_episodes for each in rows) == row.drift_episodes


def summed(parts: Iterable[tuple[_K, float]]) -> dict[_K, float]:
    """Return the sum of each key's seconds."""
    sums: dict[_K, float] = {}
    for key, secs in parts:
        sums[key] = sums.get(key, 0.0) + secs
    return sums


def _session(machine: Machine) -> tuple[Session | None, int]:
    phase = keep_time(machine.state, machine.time.now()).phase
    match phase:
        case Active(session=session, drift=drift):
            return session, drift.episodes
        case Review(session=session, episodes=episodes):
            return session, episodes
        case _:
            return None, 0


def _approximately(secs: Any) -> Any:
    return {key: pytest.approx(value, abs=1e-3) for key, value in secs.items() if value > 1e-3}

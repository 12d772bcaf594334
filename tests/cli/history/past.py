"""Sessions that are over, made by hand, and histories that the daemon's own store has written."""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trio

from antidrift_cli.history.sessions import ClassTime, PastSession, SlotTime, Status
from antidriftd.adapters.store.history import SqliteHistoryStore
from antidriftd.core.recording_state import (
    AnswerGiven,
    Entry,
    Interval,
    Record,
    SessionEnded,
    SessionReviewed,
    VerdictGiven,
)
from protocol.history import HISTORY_FILE

BEGAN = datetime(2026, 11, 30, 8, tzinfo=UTC)
"""When sessions begin unless a test says otherwise: a Monday."""

BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"
"""The rules of a zone with summer time, as POSIX writes them: no zone files are needed."""


def past(**changes: Any) -> PastSession:
    """Return a session of 25 minutes, all on task, changed as told."""
    started = changes.get("started", BEGAN)
    fields: dict[str, Any] = {
        "session_id": "s1",
        "host": "a",
        "next_action": "write the parser",
        "timebox_secs": 1500,
        "started": started,
        "ended": started + timedelta(minutes=25),
        "planned_end": started + timedelta(minutes=25),
        "ontask_secs": 1500.0,
        "drift_secs": 0.0,
        "unjudged_secs": 0.0,
        "away_secs": 0.0,
        "switches": 0,
        "drift_episodes": 0,
    }
    return PastSession(**(fields | changes))


def slot(began: datetime, secs: float, status: Status = "ontask") -> SlotTime:
    """Return time in the quarter of an hour that begins then."""
    return SlotTime(began=began, status=status, secs=secs)


def drifted(window_class: str, secs: float) -> ClassTime:
    """Return time drifted in a window class."""
    return ClassTime(window_class=window_class, status="drift", secs=secs)


def set_zone(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    """Make this process live in a time zone until the test is over and `restore_zone` ran."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()


def stretches(session_id: str, *rows: tuple[str, float, str]) -> list[Interval]:
    """Return intervals from `BEGAN` on, one after the other: class, seconds, bucket."""
    intervals, began = [], BEGAN.timestamp()
    for number, (window_class, secs, bucket) in enumerate(rows, start=1):
        values: dict[str, Any] = {"window_class": window_class, "secs": secs, "bucket": bucket}
        intervals.append(
            Interval(
                session_id=session_id,
                number=number,
                began=began,
                title="",
                switches=int(number > 1),
                drift_episodes=int(bucket == "drift"),
                **values,
            )
        )
        began += secs
    return intervals


def ended(intervals: Sequence[Interval], **changes: Any) -> SessionEnded:
    """Return the end of the session that these intervals are of, changed as told."""
    spent: dict[str, float] = {"ontask": 0.0, "drift": 0.0, "unjudged": 0.0, "away": 0.0}
    for each in intervals:
        spent[each.bucket] += each.secs
    fields: Mapping[str, Any] = {
        "session_id": intervals[0].session_id,
        "intent": "",
        "next_action": "write the parser",
        "success_condition": "",
        "timebox_secs": 1500,
        "started": intervals[0].began,
        "ended": intervals[0].began + sum(spent.values()),
        "planned_end": intervals[0].began + 1500,
        **{f"{bucket}_secs": secs for bucket, secs in spent.items()},
        "switches": sum(each.switches for each in intervals),
        "drift_episodes": sum(each.drift_episodes for each in intervals),
    }
    return SessionEnded(**{**fields, **changes})


def reviewed(session_id: str, outcome: str = "done", note: str = "") -> SessionReviewed:
    """Return what was said of a session."""
    return SessionReviewed(session_id=session_id, outcome=outcome, note=note)


def led_away(session_id: str, cause: str, title: str = "") -> AnswerGiven:
    """Return that the person said what led them away."""
    return AnswerGiven(
        session_id=session_id,
        at=BEGAN.timestamp() + 60,
        kind="refocus",
        window_class="firefox",
        title=title,
        cause=cause,
    )


def judged(session_id: str, *, on_task: bool | None, title: str = "") -> VerdictGiven:
    """Return a verdict of the judge."""
    return VerdictGiven(
        session_id=session_id,
        at=BEGAN.timestamp() + 30,
        window_class="firefox",
        title=title,
        on_task=on_task,
        reason="a video",
    )


def write_history(state_dir: Path, *records: Record | Iterable[Record]) -> Path:
    """Write records as the daemon does; return the history's file."""
    state_dir.mkdir(mode=0o700, exist_ok=True)
    flat: list[Record] = []
    for each in records:
        flat.extend(each if isinstance(each, Iterable) else [each])
    path = state_dir / HISTORY_FILE
    store = SqliteHistoryStore(path, BEGAN.timestamp)
    trio.run(store.write, [Entry(number, record) for number, record in enumerate(flat, start=1)])
    return path

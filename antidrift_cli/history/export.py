"""The history in the formats of others, a piece at a time, so that memory doesn't grow with it."""

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

import msgspec

from antidrift_cli.history.merging import EXPORT_VERSION
from antidrift_cli.history.reading import History
from antidrift_cli.history.sessions import Interval, PastSession
from antidrift_cli.output import ascii_json
from antidrift_cli.visible import visible

_BASIC: Final = "%Y%m%dT%H%M%SZ"

Lines = Iterator[str]
"""Lines without their ends, each safe to show."""


def lines_of(
    name: str, history: History | None, since: datetime | None, *, with_intervals: bool
) -> Lines:
    """Return the lines of format `name` for the sessions that began at `since` or later.

    Raises:
        ValueError: there is no such format.
    """
    match name:
        case "jsonl":
            return _jsonl(history, since, with_intervals) if history else iter(())
        case "timewarrior":
            return _timewarrior(history.sessions(since) if history else ())
        case "activitywatch":
            return _activitywatch(history, since, with_intervals)
        case _:
            raise ValueError(f"no such format: {name}")


def _jsonl(history: History, since: datetime | None, with_intervals: bool) -> Lines:
    sessions = history.details(since) if with_intervals else history.sessions(since)
    for session in sessions:
        yield f'{{"antidrift_export":{EXPORT_VERSION},{_json(session)[1:]}'


def _timewarrior(sessions: Iterable[PastSession]) -> Lines:
    r"""Yield an array of intervals as `timew import` takes it (timew-import(1), timew-export(1)).

    Whole seconds, so a session that took less than one is left out. Tags are `antidrift` and the
    outcome. Not in ASCII: it takes `\uXXXX` for what it says (its src/IntervalFactory.cpp).
    """
    yield "["
    yield from _separated(_tracked(each) for each in sessions if each.length_secs >= 1)
    yield "]"


def _activitywatch(history: History | None, since: datetime | None, with_intervals: bool) -> Lines:
    """Yield the buckets that ActivityWatch imports (`POST /api/0/import`, or its web page).

    Sessions are a bucket, and so are windows, which have the `app` and `title` of its own watcher.
    """
    first = next(history.sessions(since), None) if history else None
    yield '{"buckets":{'
    if history and first:
        sessions = map(_session_event, history.sessions(since))
        yield from _bucket("session", "antidrift.session", first.started, sessions)
        if with_intervals:
            yield ","
            detailed = history.details(since)
            windows = (_window_event(each) for session in detailed for each in session.intervals)
            yield from _bucket("window", "currentwindow", first.started, windows)
    yield "}}"


def _tracked(session: PastSession) -> str:
    start = session.started.replace(microsecond=0)
    tags = ["antidrift", *([session.outcome] if session.outcome else [])]
    interval = {
        "start": f"{start:{_BASIC}}",
        "end": f"{start + timedelta(seconds=int(session.length_secs)):{_BASIC}}",
        "tags": tags,
        "annotation": visible(session.next_action),
    }
    return msgspec.json.encode(interval).decode()


def _bucket(name: str, kind: str, created: datetime, events: Iterable[str]) -> Lines:
    host = os.uname().nodename
    bucket = {
        "id": f"antidrift-{name}_{host}",
        "type": kind,
        "client": "antidrift",
        "hostname": host,
        "created": created,
    }
    yield f"{_json(bucket['id'])}:"
    yield f'{_json(bucket)[:-1]},"events":['
    yield from _separated(events)
    yield "]}"


def _session_event(session: PastSession) -> str:
    data = {
        "title": session.next_action,
        "intent": session.intent,
        "outcome": session.outcome,
        "session_id": session.session_id,
        "planned_secs": session.timebox_secs,
        "ontask_secs": session.ontask_secs,
        "drift_secs": session.drift_secs,
        "unjudged_secs": session.unjudged_secs,
        "away_secs": session.away_secs,
        "drift_episodes": session.drift_episodes,
    }
    return _event(session.started, session.length_secs, data)


def _window_event(interval: Interval) -> str:
    data = {"app": interval.window_class, "title": interval.title, "status": interval.status}
    return _event(interval.began, interval.secs, data)


def _event(timestamp: datetime, duration: float, data: Mapping[str, object]) -> str:
    return _json({"timestamp": timestamp, "duration": duration, "data": data})


def _json(value: object) -> str:
    return ascii_json(msgspec.json.encode(value))


def _separated(items: Iterable[str]) -> Lines:
    """Yield items with a comma before all but the first."""
    comma = ""
    for item in items:
        yield comma + item
        comma = ","

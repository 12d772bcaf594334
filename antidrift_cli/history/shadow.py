"""What would have interrupted (`drift.shadow`), and what the person said of it themselves."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import msgspec

from antidrift_cli.history.reading import History, Row, secs_of

# A session counts for the day on which it began, as in the other reports.
_VERDICTS: Final = """
    SELECT session, at, classes.text, title, started, on_task IS 0 FROM verdicts
    JOIN ended_sessions USING (session) JOIN names AS classes ON classes.id = class
    WHERE shadow AND started >= ? ORDER BY session, at, entry
"""
_ANSWERS: Final = """
    SELECT session, at, classes.text, title, kind = 'ontask' FROM answers
    JOIN ended_sessions USING (session) JOIN names AS classes ON classes.id = class
    WHERE class <> 0 AND started >= ? ORDER BY session, at, entry
"""

_About = tuple[int, str, int]
"""A session, a window class and the number of a title."""


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """How often the judge would have interrupted, and how much of it the person spoke of."""

    interruptions: int
    called_on_task: int
    called_off_task: int


class ShadowProgram(Counted, frozen=True, kw_only=True, rename={"window_class": "class"}):
    """The same of one window class."""

    window_class: str


class ShadowDay(Counted, frozen=True, kw_only=True):
    """The same of the sessions that began on one day, `YYYY-MM-DD` here."""

    day: str
    judged: int
    programs: tuple[ShadowProgram, ...]


class Shadow(Counted, frozen=True, kw_only=True, omit_defaults=True):
    """What would have been; `judged` is how many verdicts were given in the shadow."""

    since: datetime | None = None
    judged: int
    programs: tuple[ShadowProgram, ...]
    days: tuple[ShadowDay, ...]


@dataclass(slots=True)
class _Interruption:
    at: float
    window_class: str
    day: str
    answer: bool | None = None
    """Whether the person called it on task; None while they said nothing."""


def shadow(history: History | None, since: datetime | None) -> Shadow:
    """Return what would have been in the sessions that began at `since` or later.

    A page is judged once a session, and so it counts once, however often it came back.
    """
    judged: defaultdict[str, int] = defaultdict(int)
    found: defaultdict[_About, list[_Interruption]] = defaultdict(list)
    for session, at, window_class, title, started, is_drift in _rows(history, _VERDICTS, since):
        day = f"{datetime.fromtimestamp(started, UTC).astimezone():%Y-%m-%d}"
        judged[day] += 1
        if is_drift:
            found[session, window_class, title].append(_Interruption(at, window_class, day))
    for session, at, window_class, title, is_on_task in _rows(history, _ANSWERS, since):
        earlier = [each for each in found[session, window_class, title] if each.at <= at]
        if earlier:  # the last one is what they speak of, and their last word on it counts
            earlier[-1].answer = bool(is_on_task)
    everything = [each for group in found.values() for each in group]
    return Shadow(
        since=since,
        judged=sum(judged.values()),
        programs=_programs(everything),
        days=tuple(_day(day, judged[day], everything) for day in sorted(judged)),
        **_counts(everything),
    )


def _rows(history: History | None, statement: str, since: datetime | None) -> Iterator[Row]:
    return history.rows(statement, secs_of(since)) if history else iter(())


def _counts(interruptions: list[_Interruption]) -> dict[str, int]:
    answers = [each.answer for each in interruptions]
    return {
        "interruptions": len(answers),
        "called_on_task": answers.count(True),
        "called_off_task": answers.count(False),
    }


def _day(day: str, judged: int, everything: list[_Interruption]) -> ShadowDay:
    of_day = [each for each in everything if each.day == day]
    return ShadowDay(day=day, judged=judged, programs=_programs(of_day), **_counts(of_day))


def _programs(interruptions: list[_Interruption]) -> tuple[ShadowProgram, ...]:
    groups: defaultdict[str, list[_Interruption]] = defaultdict(list)
    for each in interruptions:
        groups[each.window_class].append(each)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(ShadowProgram(window_class=name, **_counts(group)) for name, group in ordered)

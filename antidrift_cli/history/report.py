"""What sessions add up to: in all, by day, by hour of the day, and what pulled away."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

import msgspec
from msgspec.structs import asdict

from antidrift_cli.history.sessions import STATUSES, PastSession, Status

_BEST_HOURS: Final = 3
_LEAST_OF_BUSIEST: Final = 0.1
"""An hour with less than this share of the busiest one's time says nothing of how hours go."""


class Spent(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Where time went, in seconds; the four make `length_secs`.

    `ontask_share` is of the time in which somebody was there; left out when nobody ever was.
    """

    length_secs: float
    ontask_secs: float
    drift_secs: float
    unjudged_secs: float
    away_secs: float
    ontask_share: float | None = None


class Totals(Spent, frozen=True, kw_only=True):
    """What some sessions add up to."""

    sessions: int
    planned_secs: int
    drift_episodes: int
    switches: int


class Day(Totals, frozen=True, kw_only=True):
    """The sessions that began on a day, `YYYY-MM-DD` here."""

    day: str


class Hour(Spent, frozen=True, kw_only=True):
    """An hour of the day over all days; `hour` is when it begins here, `HH:00`."""

    hour: str


class PulledAway(msgspec.Struct, frozen=True, kw_only=True, rename={"window_class": "class"}):
    """A window class and the time that was drifted there; the empty class has no name."""

    window_class: str
    drift_secs: float


class Cause(msgspec.Struct, frozen=True):
    """What was said to have led away, and how often."""

    cause: str
    times: int


class Report(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Sessions looked back on; `hosts` is how many state directories they come from."""

    since: datetime | None = None
    hosts: int
    total: Totals
    outcomes: dict[str, int]
    best_hours: tuple[str, ...]
    pulled_away: tuple[PulledAway, ...]
    causes: tuple[Cause, ...]
    hours: tuple[Hour, ...]
    days: tuple[Day, ...]


def report(sessions: Iterable[PastSession], since: datetime | None = None) -> Report:
    """Return what `sessions`, those that began at `since` or later, add up to.

    Days and hours are those of the time zone here, by its rules at the time.
    """
    counting = _Counting()
    for session in sessions:
        counting.add(session)
    return counting.result(since)


class _Sums:
    """Totals while they grow."""

    def __init__(self) -> None:
        self.spent: defaultdict[Status, float] = defaultdict(float)
        self.sessions = self.planned_secs = self.episodes = self.switches = 0

    def add(self, session: PastSession) -> None:
        self.sessions += 1
        self.planned_secs += session.timebox_secs
        self.episodes += session.drift_episodes
        self.switches += session.switches
        self.spent["ontask"] += session.ontask_secs
        self.spent["drift"] += session.drift_secs
        self.spent["unjudged"] += session.unjudged_secs
        self.spent["away"] += session.away_secs

    def totals(self) -> Totals:
        return Totals(
            sessions=self.sessions,
            planned_secs=self.planned_secs,
            drift_episodes=self.episodes,
            switches=self.switches,
            **asdict(_spent(self.spent)),
        )


class _Counting:
    """All that is counted, session by session."""

    def __init__(self) -> None:
        self._total = _Sums()
        self._hosts: set[str] = set()
        self._days: defaultdict[str, _Sums] = defaultdict(_Sums)
        self._hours: defaultdict[str, defaultdict[Status, float]] = defaultdict(
            lambda: defaultdict(float)
        )
        self._pulled: defaultdict[str, float] = defaultdict(float)
        self._causes: defaultdict[str, int] = defaultdict(int)
        self._outcomes: defaultdict[str, int] = defaultdict(int)

    def add(self, session: PastSession) -> None:
        self._hosts.add(session.host)
        self._total.add(session)
        self._days[f"{session.started.astimezone():%Y-%m-%d}"].add(session)
        self._outcomes[session.outcome or "none"] += 1
        for row in session.by_slot:
            self._hours[f"{row.began.astimezone():%H:00}"][row.status] += row.secs
        for each in session.by_class:
            if each.status == "drift":
                self._pulled[each.window_class] += each.secs
        for answer in session.answers:
            if cause := " ".join(answer.cause.split()):
                self._causes[cause] += 1

    def result(self, since: datetime | None) -> Report:
        spent = [(hour, _spent(self._hours[hour])) for hour in sorted(self._hours)]
        hours = tuple(Hour(hour=hour, **asdict(each)) for hour, each in spent)
        return Report(
            since=since,
            hosts=len(self._hosts),
            total=self._total.totals(),
            outcomes=dict(sorted(self._outcomes.items())),
            best_hours=_best(hours),
            pulled_away=tuple(
                PulledAway(window_class=name, drift_secs=round(self._pulled[name], 3))
                for name in _largest_first(self._pulled)
            ),
            causes=tuple(Cause(each, self._causes[each]) for each in _largest_first(self._causes)),
            hours=hours,
            days=tuple(
                Day(day=day, **asdict(self._days[day].totals())) for day in sorted(self._days)
            ),
        )


def _spent(spent: Mapping[Status, float]) -> Spent:
    ontask, drift, unjudged, away = (round(spent.get(status, 0.0), 3) for status in STATUSES)
    there = ontask + drift + unjudged
    return Spent(
        length_secs=round(there + away, 3),
        ontask_secs=ontask,
        drift_secs=drift,
        unjudged_secs=unjudged,
        away_secs=away,
        ontask_share=round(ontask / there, 4) if there else None,
    )


def _best(hours: Iterable[Hour]) -> tuple[str, ...]:
    """Return the hours of the day with the largest share on task, the best one first."""
    there = {each.hour: each.length_secs - each.away_secs for each in hours}
    least = _LEAST_OF_BUSIEST * max(there.values(), default=0.0)
    counted = [each for each in hours if each.ontask_secs and there[each.hour] >= least]
    counted.sort(key=lambda each: (-(each.ontask_share or 0), -each.ontask_secs, each.hour))
    return tuple(each.hour for each in counted[:_BEST_HOURS])


def _largest_first(amounts: Mapping[str, float]) -> list[str]:
    return sorted(amounts, key=lambda name: (-amounts[name], name))

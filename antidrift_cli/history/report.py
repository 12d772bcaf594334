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


class Sums:
    """Totals while they grow."""

    def __init__(self) -> None:
        self.sessions = self.planned_secs = self.drift_episodes = self.switches = 0
        self.spent: defaultdict[Status, float] = defaultdict(float)

    def add(self, other: "Sums") -> None:
        """Add the totals of other sessions."""
        self.sessions += other.sessions
        self.planned_secs += other.planned_secs
        self.drift_episodes += other.drift_episodes
        self.switches += other.switches
        for status, secs in other.spent.items():
            self.spent[status] += secs

    def totals(self) -> Totals:
        """Return them as they are now."""
        return Totals(
            sessions=self.sessions,
            planned_secs=self.planned_secs,
            drift_episodes=self.drift_episodes,
            switches=self.switches,
            **asdict(_spent(self.spent)),
        )


def sums(sessions: int, planned_secs: int, secs: Iterable[float], counts: tuple[int, int]) -> Sums:
    """Return the totals of `sessions`: `secs` by STATUSES, `counts` of episodes and switches."""
    result = Sums()
    result.sessions, result.planned_secs = sessions, planned_secs
    result.drift_episodes, result.switches = counts
    result.spent.update(zip(STATUSES, secs, strict=True))
    return result


class Tally:
    """All that a report tells, while it is counted; days and hours are those of the zone here."""

    def __init__(self) -> None:
        self.hosts: set[str] = set()
        self.outcomes: defaultdict[str, int] = defaultdict(int)
        self.drifted: defaultdict[str, float] = defaultdict(float)
        self._causes: defaultdict[str, int] = defaultdict(int)
        self._days: defaultdict[str, Sums] = defaultdict(Sums)
        self._hours: defaultdict[str, defaultdict[Status, float]] = defaultdict(
            lambda: defaultdict(float)
        )

    def add(self, session: PastSession) -> None:
        """Count a session."""
        secs = (session.ontask_secs, session.drift_secs, session.unjudged_secs, session.away_secs)
        counts = (session.drift_episodes, session.switches)
        day = f"{session.started.astimezone():%Y-%m-%d}"
        self.add_day(day, sums(1, session.timebox_secs, secs, counts))
        self.hosts.add(session.host)
        self.outcomes[session.outcome or "none"] += 1
        for row in session.by_slot:
            self.add_hour(f"{row.began.astimezone():%H:00}", row.status, row.secs)
        for each in session.by_class:
            if each.status == "drift":
                self.drifted[each.window_class] += each.secs
        for answer in session.answers:
            self.add_cause(answer.cause, 1)

    def add_day(self, day: str, totals: Sums) -> None:
        """Count the totals of sessions that began on a day, `YYYY-MM-DD`."""
        self._days[day].add(totals)

    def add_hour(self, hour: str, status: Status, secs: float) -> None:
        """Count time in an hour of the day, `HH:00`."""
        self._hours[hour][status] += secs

    def add_cause(self, cause: str, times: int) -> None:
        """Count what was said to have led away, however it is spaced."""
        if words := cause.split():
            self._causes[" ".join(words)] += times

    def report(self, since: datetime | None = None) -> Report:
        """Return what was counted, which is of sessions that began at `since` or later."""
        total = Sums()
        for day in self._days.values():
            total.add(day)
        hours = tuple(
            Hour(hour=hour, **asdict(_spent(spent))) for hour, spent in sorted(self._hours.items())
        )
        return Report(
            since=since,
            hosts=len(self.hosts),
            total=total.totals(),
            outcomes=dict(sorted(self.outcomes.items())),
            best_hours=_best(hours),
            pulled_away=tuple(
                PulledAway(window_class=name, drift_secs=round(self.drifted[name], 3))
                for name in _largest_first(self.drifted)
            ),
            causes=tuple(Cause(each, self._causes[each]) for each in _largest_first(self._causes)),
            hours=hours,
            days=tuple(
                Day(day=day, **asdict(each.totals())) for day, each in sorted(self._days.items())
            ),
        )


def report(sessions: Iterable[PastSession], since: datetime | None = None) -> Report:
    """Return what `sessions`, which began at `since` or later, add up to."""
    tally = Tally()
    for session in sessions:
        tally.add(session)
    return tally.report(since)


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

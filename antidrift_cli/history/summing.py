"""A report of the own history alone, summed by SQLite: a year of it takes a fraction of a second.

What comes out is what `report.report` makes of the sessions one by one.
"""

from datetime import datetime
from typing import Final

from antidrift_cli.history.reading import History, secs_of
from antidrift_cli.history.report import Report, Tally, sums

# SQLite asks the same rules of the zone here as Python does (sqlite.org/lang_datefunc.html), but
# rounds to milliseconds, which could be those of another day.
_DAYS: Final = """
    SELECT strftime('%Y-%m-%d', CAST(started AS INTEGER), 'unixepoch', 'localtime') AS day,
           count(*), sum(timebox_secs), total(ontask_secs), total(drift_secs),
           total(unjudged_secs), total(away_secs), sum(drift_episodes), sum(switches)
    FROM ended_sessions WHERE started >= ? GROUP BY day
"""
_OUTCOMES: Final = """
    SELECT coalesce(nullif(outcome, ''), 'none'), count(*)
    FROM ended_sessions LEFT JOIN reviews USING (session) WHERE started >= ? GROUP BY 1
"""
_HOURS: Final = """
    SELECT strftime('%H:00', session_slots.began, 'unixepoch', 'localtime'), name, total(secs)
    FROM session_slots JOIN buckets ON buckets.id = bucket
    WHERE session IN (SELECT session FROM ended_sessions WHERE started >= ?) GROUP BY 1, 2
"""
_DRIFTED: Final = """
    SELECT text, total(secs) FROM session_classes JOIN names ON names.id = class
    WHERE bucket = (SELECT id FROM buckets WHERE name = 'drift')
      AND session IN (SELECT session FROM ended_sessions WHERE started >= ?) GROUP BY class
"""
_CAUSES: Final = """
    SELECT cause, count(*) FROM answers
    WHERE session IN (SELECT session FROM ended_sessions WHERE started >= ?) GROUP BY cause
"""


def report(history: History, since: datetime | None) -> Report:
    """Return what the sessions that began at `since` or later add up to."""
    tally, start = Tally(), secs_of(since)
    for day, count, planned, *secs, episodes, switches in history.rows(_DAYS, start):
        tally.hosts.add(history.host)
        tally.add_day(day, sums(count, planned, secs, (episodes, switches)))
    tally.outcomes.update(history.rows(_OUTCOMES, start))
    for hour, status, spent in history.rows(_HOURS, start):
        tally.add_hour(hour, status, spent)
    tally.drifted.update(history.rows(_DRIFTED, start))
    for cause, times in history.rows(_CAUSES, start):
        tally.add_cause(cause, times)
    return tally.report(since)

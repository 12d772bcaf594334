"""A report as lines for a person, with bars."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from antidrift_cli.durations import format_secs
from antidrift_cli.history.log_text import nothing_line, percent
from antidrift_cli.history.report import Day, Hour, Report, Totals
from antidrift_cli.live.look import Look
from antidrift_cli.table import pad, table_lines
from antidrift_cli.visible import columns_of

if TYPE_CHECKING:
    from antidrift_cli.history.sessions import Status

_MOST_ROWS: Final = 8
_MOST_DAYS: Final = 14
_NAME_COLUMNS: Final = 24
_CAUSE_COLUMNS: Final = 60
_BAR_COLUMNS: Final = 24
_INDENT: Final = "  "
_OUTCOMES: Final = (
    ("done", "done"),
    ("partial", "partial"),
    ("dropped", "dropped"),
    ("none", "not reviewed"),
)


def report_lines(report: Report, look: Look) -> list[str]:
    """Return the whole of `report`, the sums first and the days last."""
    if not report.total.sessions:
        return [nothing_line(report.since)]
    return [
        *_head_lines(report),
        *_spent_lines(report.total, look),
        *_pulled_lines(report, look),
        *_cause_lines(report, look),
        *_hour_lines(report, look),
        *_day_lines(report.days),
    ]


def _head_lines(report: Report) -> Iterator[str]:
    total, days = report.total, report.days
    span = days[0].day if len(days) == 1 else f"{days[0].day} to {days[-1].day}"
    machines = f", from {report.hosts} machines" if report.hosts > 1 else ""
    yield f"{_counted(total.sessions, 'session')}, {span}{machines}"
    planned, took = format_secs(total.planned_secs), format_secs(total.length_secs)
    yield f"planned {planned}, took {took}"
    ended = [f"{name} {report.outcomes[key]}" for key, name in _OUTCOMES if key in report.outcomes]
    yield f"ended: {', '.join(ended)}"
    yield f"drifts: {total.drift_episodes}, window switches: {total.switches}"


def _spent_lines(total: Totals, look: Look) -> Iterator[str]:
    rows: tuple[tuple[str, Status, float], ...] = (
        ("on task", "ontask", total.ontask_secs),
        ("drift", "drift", total.drift_secs),
        ("unjudged", "unjudged", total.unjudged_secs),
        ("away", "away", total.away_secs),
    )
    yield "where the time went:"
    for name, status, secs in rows:
        bar = look.bar(secs / total.length_secs if total.length_secs else 0, _BAR_COLUMNS, status)
        yield f"{_INDENT}{name:8}  {bar:{_BAR_COLUMNS}}  {format_secs(secs)}"
    yield f"{_INDENT}{percent(total.ontask_share)} of the time you were there went to the task"


def _pulled_lines(report: Report, look: Look) -> Iterator[str]:
    rows = [each for each in report.pulled_away if round(each.drift_secs)]
    if not rows:
        return
    yield "what pulled away:"
    names = [look.fit(each.window_class, _NAME_COLUMNS) or "(no name)" for each in rows]
    widest = max(map(columns_of, names[:_MOST_ROWS]))
    most = rows[0].drift_secs
    for name, each in list(zip(names, rows, strict=True))[:_MOST_ROWS]:
        bar = look.bar(each.drift_secs / most, _BAR_COLUMNS, "drift")
        yield f"{_INDENT}{pad(name, widest)}  {bar:{_BAR_COLUMNS}}  {format_secs(each.drift_secs)}"
    yield from _rest(rows)


def _cause_lines(report: Report, look: Look) -> Iterator[str]:
    if report.causes:
        yield "what led away, as you said:"
    for each in report.causes[:_MOST_ROWS]:
        yield f"{_INDENT}{each.times:3}x  {look.fit(each.cause, _CAUSE_COLUMNS)}"
    yield from _rest(report.causes)


def _hour_lines(report: Report, look: Look) -> Iterator[str]:
    if not report.hours:
        return
    most = max(each.ontask_secs for each in report.hours) or 1
    yield f"on task by the hour (the longest bar: {format_secs(most)}):"
    for each in report.hours:
        bar = look.bar(each.ontask_secs / most, _BAR_COLUMNS)
        yield f"{_INDENT}{each.hour}  {bar:{_BAR_COLUMNS}}  {_hour_text(each)}"
    if report.best_hours:
        yield f"{_INDENT}best: {', '.join(report.best_hours)}"


def _hour_text(hour: Hour) -> str:
    return f"{percent(hour.ontask_share):>4} of {format_secs(hour.length_secs - hour.away_secs)}"


def _day_lines(days: Sequence[Day]) -> Iterator[str]:
    if len(days) < 2:
        return
    heading = ("day", "sessions", "planned", "took", "on task", "drifts")
    rows = [heading, *map(_day_row, days[-_MOST_DAYS:])]
    yield "by the day:"
    for line in table_lines(rows, [True] * len(heading)):
        yield _INDENT + line
    if len(days) > _MOST_DAYS:
        yield f"{_INDENT}and {_counted(len(days) - _MOST_DAYS, 'day')} before: see --csv"


def _day_row(day: Day) -> tuple[str, ...]:
    return (
        day.day,
        str(day.sessions),
        format_secs(day.planned_secs),
        format_secs(day.length_secs),
        percent(day.ontask_share),
        str(day.drift_episodes),
    )


def _rest(rows: Sequence[object]) -> Iterable[str]:
    more = len(rows) - _MOST_ROWS
    return [f"{_INDENT}and {more} more: see --csv"] if more > 0 else []


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

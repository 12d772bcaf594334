"""A report as comma-separated values (RFC 4180), which nothing in it can turn into a formula."""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import asdict

from antidrift_cli.history.report import Report
from antidrift_cli.visible import visible

COLUMNS: Final = (
    "section",
    "name",
    "sessions",
    "planned_secs",
    "length_secs",
    "ontask_secs",
    "drift_secs",
    "unjudged_secs",
    "away_secs",
    "ontask_share",
    "drift_episodes",
    "switches",
    "times",
)

_FORMULA_STARTS: Final = (*"=+-@\t\r\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What makes a spreadsheet take a cell for a formula (OWASP, "CSV Injection")."""


def csv_lines(report: Report) -> Iterator[str]:
    """Yield a line of headings, and one for each figure of `report`; `section` says what it is."""
    yield _line(dict(zip(COLUMNS, COLUMNS, strict=True)))
    for row in _rows(report):
        yield _line(row)


def _rows(report: Report) -> Iterator[Mapping[str, Any]]:
    yield {"section": "total", **asdict(report.total)}
    for outcome, times in report.outcomes.items():
        yield {"section": "outcome", "name": outcome, "times": times}
    for each in report.pulled_away:
        name = each.window_class
        yield {"section": "pulled_away", "name": name, "drift_secs": each.drift_secs}
    for cause in report.causes:
        yield {"section": "cause", "name": cause.cause, "times": cause.times}
    for hour in report.hours:
        yield {"section": "hour", "name": hour.hour, **asdict(hour)}
    for day in report.days:
        yield {"section": "day", "name": day.day, **asdict(day)}


def _line(row: Mapping[str, Any]) -> str:
    line = io.StringIO()
    cells = (_cell(row.get(column)) for column in COLUMNS)
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    quote = "'" if value.lstrip(" ").startswith(_FORMULA_STARTS) else ""
    return quote + visible(value)

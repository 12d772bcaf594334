"""The verb `report`: looks back on the sessions that are over."""

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from antidrift_cli import candidates
from antidrift_cli.clock import now
from antidrift_cli.declaring import option, verb
from antidrift_cli.errors import misused
from antidrift_cli.history import dates
from antidrift_cli.output import say, say_json

if TYPE_CHECKING:
    from antidrift_cli.history.report import Report


@verb(
    option("--day", is_flag=True, help="What began today."),
    option("--week", is_flag=True, help="What began this week, from Monday on."),
    option("--since", metavar="DATE", read=dates.parse_day, help="What began then or later."),
    option(
        "--from",
        "folders",
        read=Path,
        metavar="DIR",
        multiple=True,
        help="Count the exports (*.jsonl) directly in it too; may be given more than once.",
        shell_complete=candidates.files,
    ),
    option("--csv", "as_csv", is_flag=True, help="Print comma-separated values."),
    option(
        "--shadow", is_flag=True, help="Tell what would have interrupted while drift.shadow was on."
    ),
    examples=[
        "antidrift report --week",
        "antidrift report --since 2026-11-01 --csv > november.csv",
        "antidrift report --from ~/Sync/focus",
        "antidrift report --shadow",
    ],
)
def report(  # noqa: PLR0913  Click hands over each option by its name
    *,
    day: bool = False,
    week: bool = False,
    since: datetime | None = None,
    folders: tuple[Path, ...] = (),
    as_csv: bool = False,
    shadow: bool = False,
    as_json: bool = False,
) -> None:
    """Look back on the sessions that are over: where the time went, and what pulled away.

    Without a period that is all of them. Days and hours are those of the clock here; a session
    counts for the day on which it began. A session that several machines know counts once.
    """
    if (day, week, since is not None).count(True) > 1:
        raise misused("antidrift report", "give one of --day, --week and --since")
    if shadow and (as_csv or folders):
        raise misused("antidrift report", "--shadow goes with neither --csv nor --from")
    if as_csv and as_json:
        raise misused("antidrift report", "give one of --csv and --json")
    if day or week:
        since = dates.start_of(dates.today(now()) if day else dates.monday(now()))
    if shadow:
        _tell_shadow(since, as_json=as_json)
        return
    result = _counted(folders, since)
    if as_json:
        say_json(msgspec.json.encode(result))
    else:
        say(_csv(result) if as_csv else _text(result))


def _tell_shadow(since: datetime | None, *, as_json: bool) -> None:
    from antidrift_cli.history.reading import open_history
    from antidrift_cli.history.shadow import shadow
    from antidrift_cli.history.shadow_text import shadow_lines

    with open_history(os.environ) as history:
        result = shadow(history, since)
    if as_json:
        say_json(msgspec.json.encode(result))
    else:
        say(shadow_lines(result))


def _counted(folders: tuple[Path, ...], since: datetime | None) -> "Report":
    from antidrift_cli.history import merging, summing
    from antidrift_cli.history.reading import open_history
    from antidrift_cli.history.report import report as count

    with open_history(os.environ) as history:
        if not folders:
            return summing.report(history, since) if history else count([], since)
        own = history.sessions(since) if history else ()
        return count(merging.merged([*own, *merging.read_exports(folders, since)]), since)


def _csv(result: "Report") -> Iterable[str]:
    from antidrift_cli.history.report_csv import csv_lines

    return csv_lines(result)


def _text(result: "Report") -> Iterable[str]:
    from antidrift_cli.history.report_text import report_lines
    from antidrift_cli.live.look import Look, shows_unicode

    return report_lines(result, Look(80, shows_unicode()))

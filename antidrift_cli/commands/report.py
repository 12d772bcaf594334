"""The verb `report`: looks back on the sessions that are over."""

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from antidrift_cli.clock import now
from antidrift_cli.history import dates
from antidrift_cli.output import say, say_json
from antidrift_cli.verb import examples, json_flag

if TYPE_CHECKING:
    from antidrift_cli.history.report import Report


@click.command(
    epilog=examples(
        "antidrift report --week",
        "antidrift report --since 2026-11-01 --csv > november.csv",
        "antidrift report --from ~/Sync/focus",
    )
)
@click.option("--day", is_flag=True, help="What began today.")
@click.option("--week", is_flag=True, help="What began this week, from Monday on.")
@click.option("--since", metavar="DATE", callback=dates.parse_day, help="What began then or later.")
@click.option(
    "--from",
    "folders",
    type=click.Path(path_type=Path),
    metavar="DIR",
    multiple=True,
    help="Count the exports (*.jsonl) directly in it too; may be given more than once.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@json_flag
def report(
    *,
    day: bool,
    week: bool,
    since: datetime | None,
    folders: tuple[Path, ...],
    as_csv: bool,
    as_json: bool,
) -> None:
    """Look back on the sessions that are over: where the time went, and what pulled away.

    Without a period that is all of them. Days and hours are those of the clock here; a session
    counts for the day on which it began. A session that several machines know counts once.
    """
    if (day, week, since is not None).count(True) > 1:
        raise click.UsageError("give one of --day, --week and --since")
    if as_csv and as_json:
        raise click.UsageError("give one of --csv and --json")
    if day or week:
        since = dates.start_of(dates.today(now()) if day else dates.monday(now()))
    result = _counted(folders, since)
    if as_json:
        say_json(msgspec.json.encode(result))
    else:
        say(_csv(result) if as_csv else _text(result))


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
    import locale

    from antidrift_cli.history.report_text import report_lines
    from antidrift_cli.live.look import Look

    unicode = locale.getencoding().upper() in ("UTF-8", "UTF8")
    return report_lines(result, Look(80, unicode))

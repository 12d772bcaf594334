"""The verb `export`: gives the history to other programs and machines."""

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Final

import click

from antidrift_cli.history.dates import parse_day
from antidrift_cli.output import say, say_aside, say_json
from antidrift_cli.verb import examples, json_flag
from antidrift_cli.visible import cut

FORMATS: Final = ("jsonl", "timewarrior", "activitywatch")
_PATH_COLUMNS: Final = 200


@click.command(
    epilog=examples(
        "antidrift export -o ~/Sync/focus/laptop.jsonl",
        "antidrift export --format timewarrior --since 2026-11-01 | timew import",
        "antidrift export --format activitywatch --intervals -o buckets.json",
    )
)
@click.option(
    "--format",
    "name",
    type=click.Choice(FORMATS),
    default="jsonl",
    show_default=True,
    help="One line a session, or what those programs import.",
)
@click.option("--since", metavar="DATE", callback=parse_day, help="Leave out what began before.")
@click.option("--intervals", is_flag=True, help="Every stretch of a session too.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to this file."
)
@json_flag
def export(
    *, name: str, since: datetime | None, intervals: bool, output: Path | None, as_json: bool
) -> None:
    """Give the history to other programs and machines.

    What has one line a session (jsonl) is for scripts and for `antidrift report --from`. A file
    appears only when it is whole, and only you can read it. Window titles are in it if the history
    has them (history.titles).
    """
    from antidrift_cli.history import destination
    from antidrift_cli.history.export import lines_of
    from antidrift_cli.history.reading import open_history

    if intervals and name == "timewarrior":
        raise click.UsageError("timewarrior has no place for --intervals")
    with open_history(os.environ) as history:
        if history is None:
            say_aside(["no session has ended yet"])
        lines = lines_of(name, history, since, with_intervals=intervals)
        if output is None:
            destination.print_lines(lines)
            return
        destination.write_file(lines, output)
    if as_json:
        say_json(json.dumps({"file": str(output)}).encode())
    else:
        say([f"exported to {cut(str(output), _PATH_COLUMNS)}"])

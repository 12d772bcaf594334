"""The verb `export`: gives the history to other programs and machines."""

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Final

from antidrift_cli import candidates
from antidrift_cli.declaring import option, verb
from antidrift_cli.errors import misused
from antidrift_cli.history.dates import parse_day
from antidrift_cli.output import say, say_aside, say_json
from antidrift_cli.visible import cut

FORMATS: Final = ("jsonl", "timewarrior", "activitywatch")
_PATH_COLUMNS: Final = 200


@verb(
    option(
        "--format",
        "name",
        choices=FORMATS,
        default="jsonl",
        show_default=True,
        help="One line a session, or what those programs import.",
    ),
    option("--since", metavar="DATE", read=parse_day, help="Leave out what began before."),
    option("--intervals", is_flag=True, help="Every stretch of a session too."),
    option(
        "-o",
        "--output",
        read=Path,
        metavar="FILE",
        help="Write to this file.",
        shell_complete=candidates.files,
    ),
    examples=[
        "antidrift export -o ~/Sync/focus/laptop.jsonl",
        "antidrift export --format timewarrior --since 2026-11-01 | timew import",
        "antidrift export --format activitywatch --intervals -o buckets.json",
    ],
)
def export(
    *,
    name: str = "jsonl",
    since: datetime | None = None,
    intervals: bool = False,
    output: Path | None = None,
    as_json: bool = False,
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
        raise misused("antidrift export", "timewarrior has no place for --intervals")
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

"""The verb `log`: lists the sessions that are over."""

import os
from datetime import datetime
from typing import Final

import click
import msgspec

from antidrift_cli.history.dates import parse_day
from antidrift_cli.output import say, say_json
from antidrift_cli.verb import examples, json_flag

_USUAL: Final = 20


@click.command(epilog=examples("antidrift log", "antidrift log --since 2026-11-01 --json | jq"))
@click.option(
    "-n",
    "count",
    type=click.IntRange(1, 1_000_000),
    help=f"How many, at most; {_USUAL} unless --since is given.",
)
@click.option("--since", metavar="DATE", callback=parse_day, help="Leave out what began before.")
@json_flag
def log(*, count: int | None, since: datetime | None, as_json: bool) -> None:
    """List the sessions that are over, the newest last."""
    from antidrift_cli.history.log_text import log_lines, nothing_line
    from antidrift_cli.history.reading import open_history

    limit = count or (None if since else _USUAL)
    with open_history(os.environ) as history:
        sessions = history.last(limit, since) if history else []
    if as_json:
        say_json(msgspec.json.encode({"sessions": sessions}))
    else:
        say(log_lines(sessions) or [nothing_line(since)])

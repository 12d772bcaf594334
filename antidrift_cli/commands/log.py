"""The verb `log`: lists the sessions that are over."""

import os
from datetime import datetime
from typing import Final

import msgspec

from antidrift_cli.declaring import option, verb
from antidrift_cli.history.dates import parse_day
from antidrift_cli.output import say, say_json

_USUAL: Final = 20
_DIGITS: Final = 6


def _as_count(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text):
        return int(text)
    raise ValueError(f"{text[:20]!r} is no number of sessions: write one from 1 to 999999")


@verb(
    option(
        "-n",
        "count",
        read=_as_count,
        help=f"How many, at most; {_USUAL} unless --since is given.",
    ),
    option("--since", metavar="DATE", read=parse_day, help="Leave out what began before."),
    examples=["antidrift log", "antidrift log --since 2026-11-01 --json | jq"],
)
def log(*, count: int | None = None, since: datetime | None = None, as_json: bool = False) -> None:
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

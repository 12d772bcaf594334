"""The verb `watch`: shows what changes, as it changes."""

import os
import sys

from antidrift_cli.bars import FORMATS
from antidrift_cli.declaring import option, verb
from antidrift_cli.errors import misused


@verb(
    option(
        "--format",
        "bar",
        choices=("json", *FORMATS),
        help="Print a line whenever it changes, as this bar reads it; json is --json.",
    ),
    examples=[
        "antidrift watch",
        "antidrift watch --json | jq -r --unbuffered .runtime",
        "antidrift watch --format waybar",
    ],
)
def watch(*, as_json: bool = False, bar: str | None = None) -> None:
    """Show what changes, as it changes; with --json a State a line.

    On a terminal it is a view with keys: o on task, r refocus, c complete, p pause or go on, + five
    minutes more, a add the last absence, q quit. In a pipe it is a line for each change. When the
    daemon goes away it waits for the next one; --format prints its off line meanwhile, also when
    there is no daemon yet.
    """
    if as_json and bar not in (None, "json"):
        raise misused("antidrift watch", f"--json and --format {bar} exclude each other")
    if as_json or bar == "json":
        from antidrift_cli.live.lines import JsonLines, print_lines

        print_lines(os.environ, JsonLines())
    elif bar:
        from antidrift_cli.live.bar_lines import print_bar_lines

        print_bar_lines(os.environ, bar)
    elif _can_draw():
        from antidrift_cli.live.loop import show_live

        show_live(os.environ)
    else:
        from antidrift_cli.live.lines import PlainLines, print_lines

        print_lines(os.environ, PlainLines())


def _can_draw() -> bool:
    """Return whether a person sits at a terminal on which a line can be drawn again."""
    is_terminal = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    return is_terminal and os.environ.get("TERM", "dumb") not in ("dumb", "unknown")

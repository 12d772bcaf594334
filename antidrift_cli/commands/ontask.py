"""The verb `ontask`: says that a window serves the commitment."""

import os
import re

from antidrift_cli import candidates
from antidrift_cli.allowances import Allowance, gained
from antidrift_cli.client import open_client
from antidrift_cli.declaring import option, verb
from antidrift_cli.render import drift_lines
from antidrift_cli.verb import answer_params, report
from antidrift_cli.visible import visible
from protocol.views import State


@verb(
    option(
        "--class",
        "window_class",
        metavar="CLASS",
        shell_complete=candidates.seen_classes,
        help="Allow this window class.",
    ),
    option("--title", "window_title", metavar="TEXT", help="Allow titles that contain this."),
    examples=[
        "antidrift ontask",
        "antidrift ontask --class evince",
        'antidrift ontask --title "Python documentation"',
    ],
)
def ontask(
    *, window_class: str | None = None, window_title: str | None = None, as_json: bool = False
) -> None:
    """Say that the window serves the task.

    Bare, it is about the open drift, else about the window you were in last. Of a browser or a
    terminal it allows the page, of any other program the class.
    """
    params = answer_params("antidrift ontask", window_class, window_title)
    with open_client(os.environ) as client:
        before = client.ask("state").state
        reply = client.ask("ontask", params)
    report(reply, _answered(before, reply.state), as_json=as_json)


def _answered(before: State, after: State) -> list[str]:
    allowed = gained(before, after)
    if not allowed:
        return ["on task: that was allowed already", *drift_lines(after)]
    return [
        *(f"on task: {each} is allowed" for each in allowed),
        *(f"undo: {_undo(each)}" for each in allowed),
        *drift_lines(after),
    ]


def _undo(allowance: Allowance) -> str:
    """Return the command that takes `allowance` back, quoted for bash, zsh and fish alike.

    Text that can't be shown as it is can't be pasted, and a quoted backslash means something else
    in fish: the bare command takes back the last one.
    """
    if visible(allowance.value) != allowance.value or "\\" in allowance.value:
        return "antidrift disallow"
    # Joined by `=`, a value that begins with a dash isn't taken for an option.
    joint = "=" if allowance.value.startswith("-") else " "
    return f"antidrift disallow --{allowance.kind}{joint}{_quoted(allowance.value)}"


def _quoted(value: str) -> str:
    """Return `value` as one word for a shell; `shlex.quote` leaves zsh's `=ls`, fish's `%self`."""
    if re.fullmatch(r"[\w.,:/@+-]+", value, re.ASCII):
        return value
    return "'" + value.replace("'", "'\"'\"'") + "'"

"""The verb `ontask`: says that a window serves the commitment."""

import os

from antidrift_cli import candidates
from antidrift_cli.allowances import command, condemned_since, gained
from antidrift_cli.client import open_client
from antidrift_cli.declaring import option, verb
from antidrift_cli.render import drift_lines
from antidrift_cli.verb import answer_params, report
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
    cleared = [f"no longer off task: {each}" for each in condemned_since(after, before)]
    if not allowed:
        return [*(cleared or ["on task: that was allowed already"]), *drift_lines(after)]
    return [
        *cleared,
        *(f"on task: {each} is allowed" for each in allowed),
        *(f"undo: {command('disallow', each)}" for each in allowed),
        *drift_lines(after),
    ]

"""The verb `ontask`: says that a window serves the commitment."""

import os

import click

from antidrift_cli import candidates
from antidrift_cli.allowances import command, condemned_since, gained
from antidrift_cli.client import open_client
from antidrift_cli.render import drift_lines
from antidrift_cli.verb import answer_params, examples, json_flag, report
from protocol.views import State


@click.command(
    epilog=examples(
        "antidrift ontask",
        "antidrift ontask --class evince",
        'antidrift ontask --title "Python documentation"',
    )
)
@click.option(
    "--class",
    "window_class",
    metavar="CLASS",
    shell_complete=candidates.seen_classes,
    help="Allow this window class.",
)
@click.option("--title", "window_title", metavar="TEXT", help="Allow titles that contain this.")
@json_flag
def ontask(*, window_class: str | None, window_title: str | None, as_json: bool) -> None:
    """Say that the window serves the task.

    Bare, it is about the open drift, else about the window you were in last. Of a browser or a
    terminal it allows the page, of any other program the class.
    """
    params = answer_params(window_class, window_title)
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

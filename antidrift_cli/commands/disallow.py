"""The verb `disallow`: takes an allowance back."""

import os

from antidrift_cli import candidates
from antidrift_cli.allowances import gained
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
        shell_complete=candidates.allowed_classes,
        help="The class to take back.",
    ),
    option(
        "--title",
        "window_title",
        metavar="TEXT",
        shell_complete=candidates.allowed_titles,
        help="The title to take back, as listed.",
    ),
    examples=[
        "antidrift disallow",
        "antidrift disallow --class evince",
        'antidrift disallow --title "=python documentation"',
    ],
)
def disallow(
    *, window_class: str | None = None, window_title: str | None = None, as_json: bool = False
) -> None:
    """Take back what was allowed; bare, the last of it."""
    params = answer_params("antidrift disallow", window_class, window_title)
    with open_client(os.environ) as client:
        before = client.ask("state").state
        reply = client.ask("disallow", params)
    report(reply, _taken_back(before, reply.state), as_json=as_json)


def _taken_back(before: State, after: State) -> list[str]:
    lost = gained(after, before)
    if not lost:
        return ["that was not allowed anyway", *drift_lines(after)]
    return [*(f"no longer allowed: {each}" for each in lost), *drift_lines(after)]

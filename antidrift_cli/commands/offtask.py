"""The verb `offtask`: says that a window is no part of the task."""

from antidrift_cli.declaring import verb
from antidrift_cli.render import drift_lines
from antidrift_cli.verb import ask, report


@verb(examples=["antidrift offtask"])
def offtask(*, as_json: bool = False) -> None:
    """Say that the window is no part of the task.

    It is the one in front, or the last one before this terminal, even one that counts as on task.
    It drifts for the rest of the session; antidrift ontask takes that back.
    """
    reply = ask("offtask")
    lines = ["off task for the rest of the session", *drift_lines(reply.state)]
    report(reply, lines, as_json=as_json)

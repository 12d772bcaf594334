"""The verb `offtask`: says that a window is no part of the task."""

import os

from antidrift_cli.allowances import command, condemned, condemned_since
from antidrift_cli.client import open_client
from antidrift_cli.declaring import verb
from antidrift_cli.render import drift_lines
from antidrift_cli.verb import report
from protocol.views import State


@verb(examples=["antidrift offtask"])
def offtask(*, as_json: bool = False) -> None:
    """Say that the window is no part of the task.

    It is about the open drift, else about the window in front, or the last one before this
    terminal, even one that counts as on task. It drifts for the rest of the session; antidrift
    ontask takes that back.
    """
    with open_client(os.environ) as client:
        before = client.ask("state").state
        reply = client.ask("offtask")
    report(reply, _answered(before, reply.state), as_json=as_json)


def _answered(before: State, after: State) -> list[str]:
    # What was off task before, and is so again, comes last. A daemon that was not restarted since
    # an update may name nothing.
    told = condemned_since(before, after) or condemned(after)[-1:]
    return [
        *(f"off task for the rest of the session: {each}" for each in told),
        *(f"undo: {command('ontask', each)}" for each in told),
        *drift_lines(after),
    ]

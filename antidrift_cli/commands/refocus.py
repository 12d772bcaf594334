"""The verb `refocus`: admits the drift and clears it."""

import os

from antidrift_cli.client import open_client
from antidrift_cli.declaring import option, verb
from antidrift_cli.render import phase_line, window_text
from antidrift_cli.verb import report
from protocol.methods import RefocusParams
from protocol.views import State


@verb(
    option("--because", metavar="TEXT", help="What led you away, for the history."),
    examples=["antidrift refocus", 'antidrift refocus --because "mail from the bank"'],
)
def refocus(*, because: str | None = None, as_json: bool = False) -> None:
    """Admit the drift and clear it; nothing becomes allowed.

    With no drift to answer it is about the last window of the past ten minutes, if one stayed in
    front: what is learned from your answers counts it.
    """
    with open_client(os.environ) as client:
        before = client.ask("state").state
        reply = client.ask("refocus", RefocusParams(because=because))
    report(reply, [_cleared(before), phase_line(reply.state)], as_json=as_json)


def _cleared(before: State) -> str:
    drift = before.drift
    if drift and drift.open_drift:
        return f"cleared: the drift to {window_text(drift.open_drift.subject)}"
    if drift and drift.subject and drift.status in ("drifting", "pending"):
        return f"cleared: the question about {window_text(drift.subject)}"
    return "no drift was open"

"""The verb `refocus`: admits the drift and clears it."""

import os

import click

from antidrift_cli.client import open_client
from antidrift_cli.render import phase_line, window_text
from antidrift_cli.verb import examples, json_flag, report
from protocol.views import State


@click.command(epilog=examples("antidrift refocus"))
@json_flag
def refocus(*, as_json: bool) -> None:
    """Admit the drift and clear it; nothing becomes allowed."""
    with open_client(os.environ) as client:
        before = client.ask("state").state
        reply = client.ask("refocus")
    report(reply, [_cleared(before), phase_line(reply.state)], as_json=as_json)


def _cleared(before: State) -> str:
    drift = before.drift
    if drift and drift.open_drift:
        return f"cleared: the drift to {window_text(drift.open_drift.subject)}"
    if drift and drift.subject and drift.status in ("drifting", "pending"):
        return f"cleared: the question about {window_text(drift.subject)}"
    return "nothing to clear"

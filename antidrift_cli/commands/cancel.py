"""The verb `cancel`: leaves planning."""

import click

from antidrift_cli.render import phase_line
from antidrift_cli.verb import ask, examples, json_flag, report


@click.command(epilog=examples("antidrift cancel"))
@json_flag
def cancel(*, as_json: bool) -> None:
    """Drop the plan."""
    reply = ask("cancel")
    report(reply, ["planning cancelled", phase_line(reply.state)], as_json=as_json)

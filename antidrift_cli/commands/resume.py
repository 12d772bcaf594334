"""The verb `resume`: goes on after a pause."""

import click

from antidrift_cli.render import phase_line
from antidrift_cli.render_presence import last_absence_lines
from antidrift_cli.verb import ask, examples, json_flag, report


@click.command(epilog=examples("antidrift resume"))
@json_flag
def resume(*, as_json: bool) -> None:
    """Go on after a pause, to an end that is later by it."""
    reply = ask("resume")
    report(reply, [*last_absence_lines(reply.state), phase_line(reply.state)], as_json=as_json)

"""The verb `status`: shows the state once."""

import click

from antidrift_cli.output import say, say_json
from antidrift_cli.render import status_lines
from antidrift_cli.verb import ask, examples, json_flag


@click.command(epilog=examples("antidrift status", "antidrift status --json | jq .runtime"))
@json_flag
def status(*, as_json: bool) -> None:
    """Show how things stand."""
    reply = ask("state")
    if as_json:
        say_json(reply.json)
    else:
        say(status_lines(reply.state))

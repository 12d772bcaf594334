"""The verb `status`: shows the state once."""

from antidrift_cli.declaring import verb
from antidrift_cli.output import say, say_json
from antidrift_cli.render import status_lines
from antidrift_cli.verb import ask


@verb(examples=["antidrift status", "antidrift status --json | jq .runtime"])
def status(*, as_json: bool = False) -> None:
    """Show how things stand."""
    reply = ask("state")
    if as_json:
        say_json(reply.json)
    else:
        say(status_lines(reply.state))

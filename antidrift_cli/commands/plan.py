"""The verb `plan`: enters planning with an intent."""

import click

from antidrift_cli.render import phase_line
from antidrift_cli.verb import ask, examples, joined, json_flag, report
from protocol.methods import PlanParams


@click.command(
    epilog=examples("antidrift plan write the introduction", 'antidrift plan "fix issue #12"')
)
@click.argument("words", nargs=-1, metavar="[INTENT]...")
@json_flag
def plan(words: tuple[str, ...], *, as_json: bool) -> None:
    """Say what you mean to do.

    In planning it replaces the intent; after a session it closes the review without a note.
    """
    reply = ask("plan", PlanParams(intent=joined(words)))
    report(reply, [phase_line(reply.state)], as_json=as_json)

"""The verb `review`: closes the review of a session."""

import click

from antidrift_cli.verb import ask, can_ask, examples, json_flag, report
from protocol.methods import Outcome, ReviewParams

OUTCOMES: tuple[Outcome, ...] = ("done", "partial", "dropped")


@click.command(
    epilog=examples(
        "antidrift review",
        'antidrift review --outcome partial --note "the second half needs data"',
    )
)
@click.option("--outcome", type=click.Choice(OUTCOMES), help="How it went.")
@click.option("--note", help="What to remember.")
@json_flag
def review(*, outcome: Outcome | None, note: str | None, as_json: bool) -> None:
    """Say how the session went, and close it; bare on a terminal, it asks."""
    bare = outcome is None and note is None and not as_json
    if bare and can_ask() and ask("state").state.runtime == "review":
        outcome, note = _asked()
    reply = ask("review", ReviewParams(outcome=outcome, note=note))
    report(reply, [f"review closed: {outcome or 'no outcome given'}"], as_json=as_json)


def _asked() -> tuple[Outcome, str | None]:
    """Return what the person answers; Ctrl-C leaves the review open."""
    outcome = click.prompt("How did it go", type=click.Choice(OUTCOMES), default="done", err=True)
    note = click.prompt("What to remember", default="", show_default=False, err=True)
    return outcome, note or None

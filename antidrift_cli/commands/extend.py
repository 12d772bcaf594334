"""The verb `extend`: gives the session more time."""

import click

from antidrift_cli.render_time import extended_text
from antidrift_cli.verb import as_secs, ask, examples, json_flag, report
from protocol.methods import ExtendParams


@click.command(
    # So that `-5` is a wrong length of time, not an unknown option.
    context_settings={"ignore_unknown_options": True},
    epilog=examples("antidrift extend 10m", "antidrift extend --away"),
)
@click.argument("duration", required=False, callback=as_secs)
@click.option("--away", is_flag=True, help="Add the last time that you were away, once.")
@json_flag
def extend(*, duration: int | None, away: bool, as_json: bool) -> None:
    """Give the session more time, from now or from its end, whichever is later.

    DURATION is 10 (minutes), 10m, 90s or 1h30m.
    """
    if duration is None and not away:
        message = "say by how much: a DURATION such as 10m, or --away"
        raise click.UsageError(message, click.get_current_context())
    params = ExtendParams(secs=duration, away=away)
    reply = ask("extend", params)
    report(reply, [extended_text(params, reply.state)], as_json=as_json)

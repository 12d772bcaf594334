"""The verb `extend`: gives the session more time."""

import click

from antidrift_cli.durations import format_secs
from antidrift_cli.render import local_time, time_left
from antidrift_cli.verb import as_secs, ask, examples, json_flag, report
from protocol.methods import ExtendParams
from protocol.views import State


@click.command(
    # So that `-5` is a wrong length of time, not an unknown option.
    context_settings={"ignore_unknown_options": True},
    epilog=examples("antidrift extend 10m", "antidrift extend 1h30m"),
)
@click.argument("duration", callback=as_secs)
@json_flag
def extend(*, duration: int, as_json: bool) -> None:
    """Give the session more time, from now or from its end, whichever is later.

    DURATION is 10 (minutes), 10m, 90s or 1h30m.
    """
    reply = ask("extend", ExtendParams(secs=duration))
    report(reply, [_extended(duration, reply.state)], as_json=as_json)


def _extended(secs: int, state: State) -> str:
    if not state.commitment:
        return f"extended by {format_secs(secs)}"
    until = local_time(state.commitment.ends_at)
    return f"extended by {format_secs(secs)}: {time_left(state)}, until {until}"

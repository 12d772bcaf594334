"""The verb `extend`: gives the session more time."""

from antidrift_cli.declaring import argument, option, verb
from antidrift_cli.durations import parse_secs
from antidrift_cli.errors import misused
from antidrift_cli.render_time import extended_text
from antidrift_cli.verb import ask, report
from protocol.methods import ExtendParams


@verb(
    argument("duration", read=parse_secs),
    option("--away", is_flag=True, help="Add the last time that you were away, once."),
    examples=["antidrift extend 10m", "antidrift extend --away"],
    context_settings={"ignore_unknown_options": True},
)
def extend(*, duration: int | None = None, away: bool = False, as_json: bool = False) -> None:
    """Give the session more time, from now or from its end, whichever is later.

    DURATION is 10 (minutes), 10m, 90s or 1h30m.
    """
    if duration is None and not away:
        raise misused("antidrift extend", "say by how much: a DURATION such as 10m, or --away")
    params = ExtendParams(secs=duration, away=away)
    reply = ask("extend", params)
    report(reply, [extended_text(params, reply.state)], as_json=as_json)

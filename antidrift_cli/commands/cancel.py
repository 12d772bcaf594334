"""The verb `cancel`: leaves planning."""

from antidrift_cli.declaring import verb
from antidrift_cli.render import phase_line
from antidrift_cli.verb import ask, report


@verb(examples=["antidrift cancel"])
def cancel(*, as_json: bool = False) -> None:
    """Drop the plan."""
    reply = ask("cancel")
    report(reply, ["planning cancelled", phase_line(reply.state)], as_json=as_json)

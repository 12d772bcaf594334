"""The verb `resume`: goes on after a pause."""

from antidrift_cli.declaring import verb
from antidrift_cli.render import phase_line
from antidrift_cli.render_presence import last_absence_lines
from antidrift_cli.verb import ask, report


@verb(examples=["antidrift resume"])
def resume(*, as_json: bool = False) -> None:
    """Go on after a pause, to an end that is later by it."""
    reply = ask("resume")
    report(reply, [*last_absence_lines(reply.state), phase_line(reply.state)], as_json=as_json)

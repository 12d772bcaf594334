"""The verb `pause`: stops the time and the judging."""

from antidrift_cli.declaring import verb
from antidrift_cli.render_time import local_time, time_left
from antidrift_cli.verb import ask, report
from protocol.views import State


@verb(examples=["antidrift pause"])
def pause(*, as_json: bool = False) -> None:
    """Stop the time and the judging, until resume.

    Paused time is neither focus nor drift, and the session ends later by it. After a quarter of an
    hour you are reminded.
    """
    reply = ask("pause")
    report(reply, [_paused(reply.state)], as_json=as_json)


def _paused(state: State) -> str:
    begun = state.commitment.paused_at if state.commitment else None
    at = f" at {local_time(begun)}, {time_left(state)}" if begun else ""
    return f"paused{at}; go on with: antidrift resume"

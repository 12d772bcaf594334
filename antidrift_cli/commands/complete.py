"""The verb `complete`: ends the session and shows where the time went."""

from antidrift_cli.declaring import verb
from antidrift_cli.render import action_of, summary_lines
from antidrift_cli.verb import ask, report
from protocol.views import State


@verb(examples=["antidrift complete"])
def complete(*, as_json: bool = False) -> None:
    """End the session and see where the time went."""
    reply = ask("complete")
    report(reply, _completed(reply.state), as_json=as_json)


def _completed(state: State) -> list[str]:
    return [
        f"completed: {action_of(state)}",
        *summary_lines(state),
        "close it with: antidrift review",
    ]

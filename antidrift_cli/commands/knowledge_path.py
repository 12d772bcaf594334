"""The verb `knowledge-path`: shows or chooses the profile that the coach reads."""

import os

from antidrift_cli import candidates
from antidrift_cli.client import open_client
from antidrift_cli.declaring import argument, option, verb
from antidrift_cli.errors import Failed, misused
from antidrift_cli.output import say, say_aside, say_json
from antidrift_cli.profile_path import absolute, is_there, with_tilde
from antidrift_cli.render_planning import profile_lines
from antidrift_cli.verb import report
from antidrift_cli.waiting import wait_for
from protocol.methods import KnowledgePathParams
from protocol.views import Info, State


@verb(
    argument("path", shell_complete=candidates.files),
    option("--reset", is_flag=True, help="Take the default again."),
    examples=[
        "antidrift knowledge-path",
        "antidrift knowledge-path ~/notes/me.md",
        "antidrift knowledge-path --reset",
    ],
)
def knowledge_path(*, path: str | None = None, reset: bool = False, as_json: bool = False) -> None:
    """Show or choose the profile that the coach reads.

    The choice holds until the daemon stops. With --json the bare verb prints the daemon's Info.
    """
    if path is not None and reset:
        raise misused("antidrift knowledge-path", "give a path or --reset, not both")
    if path is None and not reset:
        _show(as_json=as_json)
        return
    chosen = "" if path is None else absolute(path)
    params = KnowledgePathParams(path=chosen)
    reply = wait_for("knowledge_path", params, _loads, doing="reading the profile", quiet=as_json)
    shown = with_tilde(chosen) if chosen else "the default"
    report(reply, [f"profile: {shown}", *_found(reply.state)], as_json=as_json)
    # In planning it has been looked for.
    if chosen and reply.state.runtime != "planning" and not as_json and not is_there(chosen):
        say_aside(["there is no such file yet"])


def _show(*, as_json: bool) -> None:
    with open_client(os.environ) as client:
        info, json = client.get("info", Info)
        state = client.ask("state").state
    if as_json:
        say_json(json)
        return
    if not info.knowledge_path:
        raise Failed("no profile is read: knowledge.enabled is false in config.toml")
    say([absolute(info.knowledge_path)])  # so that a script can open it
    say_aside(profile_lines(state))


def _loads(state: State) -> bool:
    return state.knowledge is not None and state.knowledge.status == "pending"


def _found(state: State) -> list[str]:
    """Return what became of it; only in planning is it read."""
    if state.runtime != "planning":
        return ["it is read when planning begins"]
    return profile_lines(state) or ["it is not read: knowledge.enabled is false in config.toml"]

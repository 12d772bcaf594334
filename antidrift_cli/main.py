"""The `antidrift` command: a table of verbs, each imported only when it is used."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import click

from antidrift_cli.visible import cut
from protocol.version import PROTOCOL_VERSION, VERSION

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

JSON_FLAG: Final = "--json"
"""What every verb takes to answer in JSON."""

VERBS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "plan": "Say what you mean to do.",
        "tasks": "List today's tasks.",
        "coach": "Ask the coach what to do next.",
        "knowledge-path": "Show or choose the profile that the coach reads.",
        "start": "Start a session.",
        "status": "Show how things stand.",
        "ontask": "Say that the window serves the task.",
        "offtask": "Say that the window is no part of the task.",
        "disallow": "Take back what was allowed.",
        "refocus": "Admit the drift and clear it.",
        "extend": "Give the session more time.",
        "pause": "Stop the time and the judging.",
        "resume": "Go on after a pause.",
        "complete": "End the session and see where the time went.",
        "review": "Say how the session went, and close it.",
        "cancel": "Drop the plan.",
        "watch": "Show what changes, as it changes.",
        "capture": "Keep a thought about how you work, as evidence.",
        "harvest": "Have evidence weighed, and accept what it teaches.",
        "knowledge": "Look at what is learned about you, and where it lies.",
        "why": "Explain the last verdict.",
        "learned": "Show what your answers taught.",
        "log": "List the sessions that are over.",
        "report": "Look back on the sessions that are over.",
        "export": "Give the history to other programs and machines.",
        "evaluate": "Measure a judge on windows whose label is known.",
        "prompt": "Print the segment for a shell prompt.",
        "shell-init": "Print what adds the segment to your prompt.",
        "completion": "Print what makes Tab complete verbs and names.",
        "service": "Let systemd start the daemon with your session.",
        "doctor": "Look for what is missing, and say what helps.",
        "config": "Show the settings in force.",
        "demo": "See a whole session played in half a minute.",
    }
)
"""Each verb's help in a line. `--help` shows it without importing the verb."""


class VerbGroup(click.Group):
    """A group whose verbs live in `antidrift_cli.commands`, each in a module of its name.

    In that name an underscore stands for a hyphen.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of a session."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb and return it."""
        if cmd_name not in VERBS:
            if ctx.resilient_parsing or cmd_name.startswith("-"):  # Click knows what to do
                return None
            verbs = ", ".join(VERBS)
            raise click.UsageError(f"no such verb: {cut(cmd_name, 20)}; there are: {verbs}", ctx)
        name = cmd_name.replace("-", "_")
        module = import_module(f"antidrift_cli.commands.{name}")
        command: click.Command = getattr(module, name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem[str]"]:
        """Return what can be typed next; Click would import every verb for its help."""
        from click.shell_completion import CompletionItem

        verbs = (verb for verb in VERBS if verb.startswith(incomplete))
        options = super(click.Group, self).shell_complete(ctx, incomplete)
        return [*(CompletionItem(verb, help=VERBS[verb]) for verb in verbs), *options]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of verbs."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.group(cls=VerbGroup, subcommand_metavar="VERB [ARGS]...")
@click.version_option(VERSION, message=f"antidrift %(version)s (protocol {PROTOCOL_VERSION})")
def antidrift() -> None:
    """Stay with one task: a daemon watches the window in front and tells when you drift.

    Every verb talks to the running daemon, antidriftd. Try it without one: antidrift demo
    """

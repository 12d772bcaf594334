"""The command line as Click reads it: a group of the verbs, each imported only when it is used."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from antidrift_cli.declaring import Parameter, Verb, epilog
from antidrift_cli.errors import BadInput, misused
from antidrift_cli.output import say_aside
from antidrift_cli.verbs import VERBS, help_lines, load
from antidrift_cli.visible import cut
from protocol.version import PROTOCOL_VERSION, VERSION

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_MESSAGE_COLUMNS: Final = 340
_LONGEST: Final = 20
"""No verb is longer, and comparing takes time."""


def parse_and_run(args: Sequence[str]) -> int:
    """Run what `args` say, and return the exit code.

    Raises:
        CliError: they can't be meant, or it can't be carried out.
    """
    try:
        with antidrift.make_context("antidrift", list(args)) as context:
            return antidrift.invoke(context) or 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        say_aside(error.format_message().splitlines())
        return error.exit_code
    except click.UsageError as error:
        raise _bad_input(error) from None


def command_of(name: str, verb: Verb) -> click.Command:
    """Return a declared verb as a command of Click's."""
    return click.Command(
        name,
        callback=verb.function,
        params=[_parameter(each) for each in verb.parameters],
        help=verb.function.__doc__,
        epilog=epilog(verb.examples),
        **verb.settings,
    )


class VerbGroup(click.Group):
    """The group of all verbs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of a session."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb and return it."""
        if cmd_name not in VERBS:
            if ctx.resilient_parsing or cmd_name.startswith("-"):  # Click knows what to do
                return None
            raise click.UsageError(_no_such_verb(cmd_name), ctx)
        found = load(cmd_name)
        return command_of(cmd_name, found) if isinstance(found, Verb) else found

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem[str]"]:
        """Return what can be typed next; Click would import every verb for its help."""
        from click.shell_completion import CompletionItem

        verbs = (verb for verb in VERBS if verb.startswith(incomplete))
        options = super(click.Group, self).shell_complete(ctx, incomplete)
        return [*(CompletionItem(verb, help=VERBS[verb]) for verb in verbs), *options]

    def get_help(self, ctx: click.Context) -> str:
        """Return the help, which doesn't take Click to print."""
        return "\n".join(help_lines())


@click.group(cls=VerbGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message=f"antidrift %(version)s (protocol {PROTOCOL_VERSION})")
def antidrift() -> None:
    """Take what stands before the verb: nothing but these options."""


class _Text(click.ParamType[Any]):
    """What an argument's `read` makes of the text that was typed."""

    name = "text"

    def __init__(self, read: Callable[[str], Any]) -> None:
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self._read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _parameter(declared: Parameter) -> click.Parameter:
    settings = dict(declared.settings)
    if choices := settings.pop("choices", None):
        settings["type"] = click.Choice(choices)
    if read := settings.pop("read", None):
        settings["type"] = _Text(read)
    make = click.Option if declared.kind == "option" else click.Argument
    return make(declared.names, **settings)


def _no_such_verb(name: str) -> str:
    import difflib  # here, as only a slip needs it

    alike = difflib.get_close_matches(name[:_LONGEST], VERBS, n=3)
    hint = f"did you mean {' or '.join(alike)}?" if alike else f"there are: {', '.join(VERBS)}"
    return f"no such verb: {cut(name, 20)}; {hint}"


def _bad_input(error: click.UsageError) -> BadInput:
    path = error.ctx.command_path if error.ctx else "antidrift"
    return misused(path, cut(error.format_message().rstrip("."), _MESSAGE_COLUMNS))

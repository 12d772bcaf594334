"""Answers the shell's Tab key, so that the shell takes each value literally.

Click's own scripts don't: the one for bash inserts a value unquoted, so that `$(…)` in a window's
class would run with the next Enter, and the one for fish cuts a value at its first comma.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from antidrift_cli.errors import CliError
from antidrift_cli.main import antidrift
from antidrift_cli.visible import cut

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SHELLS: Final = ("bash", "zsh", "fish")

_DATA: Final = Path(__file__).with_name("data")
_HELP_COLUMNS: Final = 60
_SENTINEL: Final = "x"


def script(shell: str) -> str:
    """Return what makes `shell` complete the command line of `antidrift`."""
    return (_DATA / f"completion.{shell}").read_text("utf-8")


def answer(environ: Mapping[str, str]) -> int:
    """Print what `_ANTIDRIFT_COMPLETE` asks for, and return the exit code; nothing else is said."""
    shell, _, wish = environ.get("_ANTIDRIFT_COMPLETE", "").partition("_")
    if shell not in SHELLS:
        return 1
    if wish == "source":
        print(script(shell), end="")
        return 0
    with suppress(CliError, click.ClickException, OSError):
        for line in _lines(shell, environ.get("COMP_WORDS", "")):
            print(line)
    return 0


def _lines(shell: str, typed: str) -> Iterator[str]:
    """Yield what could come after `typed`, the line up to the cursor.

    A line is `file` for "any file", else a colon, a value, and maybe a tab and a help.
    """
    from click.shell_completion import ShellComplete, split_arg_string

    # The sentinel tells a last word that is still empty from none.
    *words, last = split_arg_string(typed + _SENTINEL)
    answers = ShellComplete(antidrift, {}, "antidrift", "")
    for item in answers.get_completions(words[1:], last.removesuffix(_SENTINEL)):
        yield "file" if item.type in ("file", "dir") else f":{_offered(shell, item)}"


def _offered(shell: str, item: "CompletionItem[str]") -> str:
    help_text = f"\t{cut(item.help, _HELP_COLUMNS)}" if item.help else ""
    match shell:
        case "bash":  # which shows no help, and inserts what it gets as if it had been typed
            return re.sub(r"([^\w@%+,./-])", r"\\\1", item.value)
        case "zsh":  # `_describe` takes a colon for the end of the value
            return re.sub(r"([\\:])", r"\\\1", item.value) + help_text
        case _:
            return f"{item.value}{help_text}"

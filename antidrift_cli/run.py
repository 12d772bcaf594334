"""Runs a verb, and turns whatever stops it into one line and an exit code."""

import os
import sys
from collections.abc import Sequence
from typing import Final

from antidrift_cli import output
from antidrift_cli.declaring import JSON_FLAG, Verb
from antidrift_cli.errors import INTERRUPTED, BadInput, CliError, Failed
from antidrift_cli.verbs import VERBS, help_lines, load
from antidrift_cli.visible import cut

_MESSAGE_COLUMNS: Final = 400


def run(args: Sequence[str]) -> int:
    """Run the verb that `args` name and return the exit code of the process."""
    output.prepare_streams()
    try:
        code = _run(args)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        output.silence(sys.stdout)
        return 0
    except OSError as error:
        output.silence(sys.stdout)
        return _fail(Failed(f"can't write the output: {error.strerror}"), as_json=False)
    return code


def _run(args: Sequence[str]) -> int:
    if "_ANTIDRIFT_COMPLETE" in os.environ:
        from antidrift_cli.completing import answer  # here, as no verb needs it

        return answer(os.environ)
    verb_args = args[: args.index("--")] if "--" in args else args
    try:
        _check_encoding(args)
        return _carry_out(args)
    except CliError as error:
        return _fail(error, as_json=JSON_FLAG in verb_args)
    except KeyboardInterrupt:
        return INTERRUPTED


def _carry_out(args: Sequence[str]) -> int:
    """Do what needs no parsing; Click, which takes half of a verb's time, does the rest."""
    match args:
        case ["--help" | "-h"]:
            output.say(help_lines())
            return 0
        case [name, *rest] if name in VERBS and rest in ([], [JSON_FLAG]):
            verb = load(name)
            if isinstance(verb, Verb) and verb.can_stand_alone:
                return verb.function(as_json=bool(rest)) or 0
    from antidrift_cli.main import parse_and_run

    return parse_and_run(args)


def _fail(error: CliError, *, as_json: bool) -> int:
    message = cut(str(error), _MESSAGE_COLUMNS)
    if as_json:
        import json  # here, as few runs need it

        shown = {"code": error.code, "kind": error.kind, "message": message}
        try:
            output.say_json(json.dumps({"error": shown}).encode())
        except BrokenPipeError:  # the exit code still tells
            output.silence(sys.stdout)
    else:
        output.say_aside([f"antidrift: {message}"])
    return error.exit_code


def _check_encoding(args: Sequence[str]) -> None:
    """Refuse bytes that are no text, which Python hides in lone surrogates (PEP 383)."""
    for arg in args:
        try:
            arg.encode()
        except UnicodeEncodeError:
            raise BadInput(f"not UTF-8 text: {cut(arg, 60)}") from None

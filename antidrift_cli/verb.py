"""What the verbs share: the `--json` flag, examples in their help, and the way they report."""

import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from antidrift_cli.client import Reply, open_client
from antidrift_cli.durations import parse_secs
from antidrift_cli.main import JSON_FLAG
from antidrift_cli.output import say, say_aside, say_json
from antidrift_cli.render import notice_lines
from protocol.methods import AnswerParams, Params

F = TypeVar("F", bound=Callable[..., Any])


def json_flag(verb: F) -> F:
    """Give a verb its `--json`."""
    flag = click.option(
        JSON_FLAG, "as_json", is_flag=True, help="Print the result, or the error, as one JSON line."
    )
    return flag(verb)


def examples(*lines: str) -> str:
    r"""Return the end of a verb's help; `\b` keeps Click from joining the lines."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def joined(words: tuple[str, ...]) -> str | None:
    """Return the words as one text; None when there are none, so that the daemon chooses."""
    return " ".join(words) if words else None


def ask(method: str, params: Params | None = None) -> Reply:
    """Return what the daemon answers to one command."""
    with open_client(os.environ) as client:
        return client.ask(method, params)


def report(reply: Reply, lines: Iterable[str], *, as_json: bool) -> None:
    """Print what a command did: as JSON, or as `lines` with the daemon's notices aside."""
    if as_json:
        say_json(reply.json)
        return
    say(lines)
    say_aside(notice_lines(reply.state))


def can_ask() -> bool:
    """Return whether a person sits there who can be asked something."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def as_secs(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Return the seconds of a length of time; a wrong one is a usage error."""
    if value is None:
        return None
    try:
        return parse_secs(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def answer_params(window_class: str | None, window_title: str | None) -> AnswerParams:
    """Return the params of an answer about one window.

    Raises:
        click.UsageError: both were named.
    """
    if window_class is not None and window_title is not None:
        raise click.UsageError("name a class or a title, not both", click.get_current_context())
    return AnswerParams(window_class=window_class, window_title=window_title)

"""What verbs share: asking the daemon, and the way they report."""

import os
from collections.abc import Iterable

from antidrift_cli.client import Reply, open_client
from antidrift_cli.errors import misused
from antidrift_cli.output import say, say_aside, say_json
from antidrift_cli.render import notice_lines
from protocol.methods import AnswerParams, Params


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


def answer_params(command: str, window_class: str | None, window_title: str | None) -> AnswerParams:
    """Return the params of an answer about one window.

    Raises:
        BadInput: both were named.
    """
    if window_class is not None and window_title is not None:
        raise misused(command, "name a class or a title, not both")
    return AnswerParams(window_class=window_class, window_title=window_title)

"""What the verbs share that have verbs of their own: they are groups of Click's."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from antidrift_cli.declaring import JSON_OPTION

F = TypeVar("F", bound=Callable[..., Any])


def json_flag(verb: F) -> F:
    """Give a verb its `--json`."""
    return click.option(*JSON_OPTION.names, **JSON_OPTION.settings)(verb)


def pass_on(ctx: click.Context, *, as_json: bool) -> None:
    """Let a `--json` that stands before the verb of a group be the verb's."""
    ctx.default_map = {str(ctx.invoked_subcommand): {"as_json": as_json}}

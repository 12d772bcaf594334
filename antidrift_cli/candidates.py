"""What could come next on the command line, as the daemon knows it; nothing when it is silent.

These values were chosen by others. One that can't be shown as it is can't be picked by eye either,
and is left out; quoting the rest for a shell is the matter of `completing`.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from antidrift_cli.errors import CliError
from antidrift_cli.visible import visible

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

    from protocol.views import State

_ANSWER_SECS = 1


def seen_classes(ctx: "click.Context", param: "click.Parameter", incomplete: str) -> list[str]:
    """Return the classes of the windows seen lately."""
    del ctx, param
    return _clean(_seen(), incomplete)


def lists_of_seen_classes(
    ctx: "click.Context", param: "click.Parameter", incomplete: str
) -> list[str]:
    """Return the list that is being typed, with each of the classes seen lately as its last."""
    del ctx, param
    before, comma, last = incomplete.rpartition(",")
    names = (name for name in _seen() if "," not in name)
    return [f"{before}{comma}{name}" for name in _clean(names, last)]


def allowed_classes(ctx: "click.Context", param: "click.Parameter", incomplete: str) -> list[str]:
    """Return the window classes that the session allows."""
    del ctx, param
    commitment = state.commitment if (state := _state()) else None
    return _clean(commitment.allowed_window_classes if commitment else (), incomplete)


def allowed_titles(ctx: "click.Context", param: "click.Parameter", incomplete: str) -> list[str]:
    """Return the titles that the session allows."""
    del ctx, param
    commitment = state.commitment if (state := _state()) else None
    return _clean(commitment.allowed_window_titles if commitment else (), incomplete)


def tasks(
    ctx: "click.Context", param: "click.Parameter", incomplete: str
) -> list["CompletionItem[str]"]:
    """Return the tasks that the daemon has; it is not made to fetch them."""
    del ctx, param
    from click.shell_completion import CompletionItem

    state = _state()
    items = state.tasks.items if state and state.tasks else ()
    # A bare number would be the place in the list.
    titles = {(f"{it.source}:{it.id}" if it.id.isdecimal() else it.id): it.title for it in items}
    return [CompletionItem(name, help=titles[name]) for name in _clean(titles, incomplete)]


def files(
    ctx: "click.Context", param: "click.Parameter", incomplete: str
) -> list["CompletionItem[str]"]:
    """Leave it to the shell to complete the name of a file."""
    del ctx, param
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def _seen() -> tuple[str, ...]:
    from antidrift_cli.client import open_client  # here, as below: a verb names us, and is silent
    from protocol.views import Info

    with suppress(CliError), open_client(_environ(), _ANSWER_SECS) as client:
        return client.get("info", Info)[0].seen_classes
    return ()


def _state() -> "State | None":
    from antidrift_cli.client import open_client

    with suppress(CliError), open_client(_environ(), _ANSWER_SECS) as client:
        return client.ask("state").state
    return None


def _environ() -> dict[str, str]:
    """Return our environment without the display: a Tab key offers nobody a display."""
    return {name: value for name, value in os.environ.items() if name != "DISPLAY"}


def _clean(names: Iterable[str], incomplete: str) -> list[str]:
    return [
        name
        for name in names
        if name.startswith(incomplete) and name.strip() and visible(name) == name
    ]

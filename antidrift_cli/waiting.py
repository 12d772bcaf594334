"""Waiting for what the daemon does in the background: a proposal, the tasks, the profile."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from antidrift_cli.client import Reply, open_client
from antidrift_cli.errors import Failed
from protocol.methods import Params
from protocol.views import State


def wait_for(
    method: str,
    params: Params | None,
    is_pending: Callable[[State], bool],
    *,
    doing: str,
    quiet: bool,
) -> Reply:
    """Ask for `method`, and return the first State in which nothing is pending any more.

    Meanwhile a person sees what is being done, unless `quiet`.
    """
    with open_client(os.environ) as client:
        replies = client.ask_and_watch(method, params)
        reply = next(replies)
        if not is_pending(reply.state):
            return reply
        with _spinner(doing, quiet=quiet):
            for newer in replies:
                if not is_pending(newer.state):
                    return newer
    raise BrokenPipeError  # nobody reads what we would print


def fetch_tasks(*, quiet: bool) -> Reply:
    """Return the State with today's tasks, fetched afresh.

    Raises:
        Failed: they can't be had.
    """
    reply = wait_for("tasks", None, _fetches_tasks, doing="fetching today's tasks", quiet=quiet)
    tasks = reply.state.tasks
    if not tasks:
        raise Failed("a session began meanwhile, and it shows no tasks")
    if tasks.status == "error":
        raise Failed(f"no tasks: {tasks.error or 'no reason given'}")
    return reply


def _fetches_tasks(state: State) -> bool:
    return state.tasks is not None and state.tasks.status == "pending"


@contextmanager
def _spinner(doing: str, *, quiet: bool) -> Iterator[None]:
    """Show on standard error that something is being done, if a person looks at it."""
    if quiet or not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield
        return
    from rich.console import Console  # here, as it takes longer than most verbs

    with Console(stderr=True).status(f"{doing}…", spinner="line"):
        yield

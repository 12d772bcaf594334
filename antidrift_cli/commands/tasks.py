"""The verb `tasks`: lists today's tasks."""

import click

from antidrift_cli.verb import examples, json_flag, report
from antidrift_cli.waiting import fetch_tasks
from protocol.views import TaskItem


@click.command(epilog=examples("antidrift tasks", "antidrift plan --task 2"))
@json_flag
def tasks(*, as_json: bool) -> None:
    """List today's tasks.

    They come from the list that tasks.source in config.toml names, fetched afresh. The number is
    for `antidrift plan --task`.
    """
    reply = fetch_tasks(quiet=as_json)
    items = reply.state.tasks.items if reply.state.tasks else ()
    report(reply, _numbered(items) or ["no tasks for today"], as_json=as_json)


def _numbered(items: tuple[TaskItem, ...]) -> list[str]:
    return [
        f"{number}. {item.title}  ({item.source}:{item.id})"
        for number, item in enumerate(items, start=1)
    ]

"""The verb `tasks`: lists today's tasks."""

from antidrift_cli.declaring import verb
from antidrift_cli.verb import report
from antidrift_cli.waiting import fetch_tasks
from protocol.views import TaskItem


@verb(examples=["antidrift tasks", "antidrift plan --task 2"])
def tasks(*, as_json: bool = False) -> None:
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

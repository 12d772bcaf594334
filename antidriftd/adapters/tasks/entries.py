"""Makes tasks of what a list holds: clean titles, and ids that can be relied on."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from antidriftd.adapters.tasks.text import is_control, one_line
from antidriftd.core.model import Task

MAX_TASKS = 200
MAX_TITLE_CHARS = 512
"""As for an intent, which a title can become."""

MAX_ID_CHARS = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """One line or record of a list, as it stands there; an empty id means that it has none."""

    title: str
    id: str = ""


def tasks_of(source: str, entries: Iterable[Entry]) -> tuple[Task, ...]:
    """Return the first `MAX_TASKS` entries as tasks of `source`, those with blank titles left out.

    An id that is missing or unfit is replaced by one that follows from the title, so it is the
    same at the next fetch; one that is there already gets a number behind it.
    """
    tasks: dict[str, Task] = {}
    for entry in entries:
        if len(tasks) == MAX_TASKS:
            break
        if title := one_line(entry.title, MAX_TITLE_CHARS):
            fit = entry.id if _is_fit(entry.id) else id_of(title)
            task_id = _fresh(fit, tasks)
            tasks[task_id] = Task(task_id, title, source)
    return tuple(tasks.values())


def id_of(text: str) -> str:
    """Return a short id that is the same whenever `text` is; it never is a bare number."""
    return "h" + hashlib.sha256(text.encode(errors="replace")).hexdigest()[:12]


def _is_fit(given: str) -> bool:
    no_space = given.split() == [given]
    return no_space and len(given) <= MAX_ID_CHARS and not any(map(is_control, given))


def _fresh(wanted: str, taken: Iterable[str]) -> str:
    """Return `wanted`, with a number behind it if it is taken."""
    found, number = wanted, 1
    while found in taken:
        number += 1
        suffix = f"-{number}"
        found = wanted[: MAX_ID_CHARS - len(suffix)] + suffix
    return found

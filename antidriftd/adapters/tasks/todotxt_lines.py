"""Reads the lines of a todo.txt file: which of them are for today, and in which order.

The format is https://github.com/todotxt/todo.txt; `due:`, `t:` (threshold, the day on which a task
can begin) and `h:1` (hidden) are conventions that its add-ons share.
"""

import re
from dataclasses import dataclass
from datetime import date

from antidriftd.adapters.tasks.entries import Entry, id_of

_DONE = "x "
_PRIORITY = re.compile(r"\(([A-Z])\) ")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# What add-ons keep in a line for themselves: how it recurs, a priority laid by, if it is hidden.
_BOOK_KEEPING = {"rec", "pri", "h"}


@dataclass(frozen=True, slots=True)
class _Todo:
    """A line that is not done."""

    entry: Entry
    priority: str
    due: date | None
    starts: date | None
    is_hidden: bool

    def is_for(self, today: date) -> bool:
        if self.is_hidden or (self.starts and self.starts > today):
            return False
        return not self.due or self.due <= today or bool(self.priority)

    def rank(self) -> tuple[str, date]:
        return self.priority or "none", self.due or date.max


def todays_entries(text: str, today: date) -> list[Entry]:
    """Return the lines of `text` that are for `today`: by priority, due date, place in the file.

    Those are all but what is done, hidden or can't begin yet, and what is due later and has no
    priority. A title has no priority, dates and book-keeping; an id follows from the whole line.
    """
    lines = text.split("\n")
    todos = [_parse(line.rstrip("\r")) for line in lines if not line.startswith(_DONE)]
    found = sorted((todo for todo in todos if todo.is_for(today)), key=_Todo.rank)
    return [todo.entry for todo in found]


def _parse(line: str) -> _Todo:
    rest, priority = line, ""
    if match := _PRIORITY.match(line):
        priority, rest = match[1], line[match.end() :]
    created, _, behind = rest.partition(" ")
    title: list[str] = []
    days: dict[str, date] = {}
    for word in (behind if _day(created) else rest).split():
        key, _, value = word.partition(":")
        if key in {"due", "t"} and (day := _day(value)):
            days.setdefault(key, day)
        elif key not in _BOOK_KEEPING or not value:
            title.append(word)
    return _Todo(
        entry=Entry(" ".join(title), id_of(line.strip())),
        priority=priority,
        due=days.get("due"),
        starts=days.get("t"),
        is_hidden="h:1" in line.split(),
    )


def _day(text: str) -> date | None:
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:  # the 30th of February
        return None

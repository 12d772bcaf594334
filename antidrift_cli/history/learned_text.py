"""What was learned as lines for a person, one each."""

from typing import Final

from antidrift_cli.table import table_lines
from antidrift_cli.visible import cut
from protocol.views import Learned, Lesson

_WINDOW_COLUMNS: Final = 40
_KIND_COLUMNS: Final = 40
_HEADING: Final = ("", "on task", "off task", "sessions", "since", "hint", "window", "when you")
_HINTS: Final = {"": "-", "ontask": "on task", "offtask": "off task"}
_RIGHT: Final = (True, True, True, True, False, False, False, False)


def learned_lines(learned: Learned) -> list[str]:
    """Return a table of all lessons under a heading, times as they were here."""
    if not learned.lessons:
        return ["nothing has been learned yet: antidrift ontask, offtask and refocus teach"]
    older = [f"and {learned.more} older ones"] if learned.more else []
    return [*table_lines([_HEADING, *map(_row, learned.lessons)], _RIGHT), *older]


def forgotten_lines(gone: Learned) -> list[str]:
    """Return a line for each lesson that is gone."""
    if not gone.lessons:
        return ["there was nothing to forget"]
    lines = [f"forgotten: {_window(each)}, when you: {_kind(each)}" for each in gone.lessons]
    return [*lines, *([f"and {gone.more} more"] if gone.more else [])]


def _row(lesson: Lesson) -> tuple[str, ...]:
    return (
        str(lesson.number),
        str(lesson.ontask),
        str(lesson.offtask),
        str(lesson.sessions),
        f"{lesson.since.astimezone():%Y-%m-%d}",
        _HINTS[lesson.hint],
        _window(lesson),
        _kind(lesson),
    )


def _window(lesson: Lesson) -> str:
    name = cut(lesson.window_class, _WINDOW_COLUMNS)
    if not lesson.is_page:
        return name
    return f"{name}: {cut(lesson.page, _WINDOW_COLUMNS) if lesson.page else 'a page'}"


def _kind(lesson: Lesson) -> str:
    return cut(lesson.kind, _KIND_COLUMNS)

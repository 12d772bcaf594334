"""What would have interrupted, as lines for a person."""

from collections.abc import Iterator, Sequence
from typing import Final

from antidrift_cli.history.shadow import Counted, Shadow, ShadowDay, ShadowProgram
from antidrift_cli.visible import cut

_NAME_COLUMNS: Final = 24
_MOST_ROWS: Final = 8
_MOST_DAYS: Final = 14
_INDENT: Final = "  "


def shadow_lines(shadow: Shadow) -> list[str]:
    """Return what would have been, the sum first and the days last."""
    if not shadow.judged:
        return ["nothing was judged in the shadow; drift.shadow = true has it done"]
    return [
        f"{_times(shadow.interruptions)} would have interrupted, of {shadow.judged} judged",
        f"you called {_said(shadow)}",
        *_program_lines(shadow.programs),
        *_day_lines(shadow.days),
    ]


def _program_lines(programs: Sequence[ShadowProgram]) -> Iterator[str]:
    if programs:
        yield "on:"
    for each in programs[:_MOST_ROWS]:
        name = cut(each.window_class, _NAME_COLUMNS) or "(no name)"
        yield f"{_INDENT}{each.interruptions:3}x  {name}{_aside(each)}"
    if len(programs) > _MOST_ROWS:
        yield f"{_INDENT}and {len(programs) - _MOST_ROWS} more: see --json"


def _day_lines(days: Sequence[ShadowDay]) -> Iterator[str]:
    yield "by the day:"
    for day in days[-_MOST_DAYS:]:
        names = [
            f"{cut(each.window_class, _NAME_COLUMNS) or '(no name)'} {each.interruptions}"
            for each in day.programs[:3]
        ]
        on = f": {', '.join(names)}" if names else ""
        yield f"{_INDENT}{day.day}  {day.interruptions} of {day.judged}{on}{_aside(day)}"
    if len(days) > _MOST_DAYS:
        yield f"{_INDENT}and {len(days) - _MOST_DAYS} days before: see --json"


def _aside(counted: Counted) -> str:
    said = counted.called_on_task + counted.called_off_task
    return f"  (you: {_said(counted)})" if said else ""


def _said(counted: Counted) -> str:
    return f"{counted.called_on_task} on task, {counted.called_off_task} off task"


def _times(count: int) -> str:
    return "1 window" if count == 1 else f"{count} windows"

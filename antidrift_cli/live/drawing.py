"""The view drawn: from a State and the time to the rows that fit."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from rich.text import Text

from antidrift_cli.live.counting import secs_to_next_change
from antidrift_cli.live.keys import offered
from antidrift_cli.live.look import Look
from antidrift_cli.live.rows import SPARE, Paper, Part, Row, blank, crowded, fitted
from antidrift_cli.live.session_rows import (
    drift_rows,
    evidence_rows,
    goal_rows,
    review_rows,
    time_rows,
    window_rows,
)
from antidrift_cli.render import action_of, notice_lines, saving_lines, sensor_lines
from antidrift_cli.render_planning import planning_lines, tasks_lines
from protocol.views import State

_MOST_ROWS_OF_A_TEXT: Final = 3
_MOST_TASKS: Final = 5

_HINTS: Final = {
    "idle": (
        ("antidrift plan WHAT", "say what you want to get done"),
        ("antidrift coach WHAT", "the same, and have the next step proposed"),
        ("antidrift tasks", "list today's tasks"),
    ),
    "review": (
        ("antidrift review", "say how it went, and be done"),
        ("antidrift plan WHAT", "go on to the next thing"),
    ),
}


@dataclass(frozen=True, slots=True)
class View:
    """What is to be seen at the time `now`, in seconds since the epoch."""

    state: State
    now: float
    messages: tuple[str, ...] = ()
    """What the last key did, and whether the daemon is there."""
    counted_until: float | None = None
    """When the daemon went away: nobody counts since."""


def draw(view: View, look: Look, height: int) -> list[Text]:
    """Return the rows to show, at most `height`; the most important ones when not all fit."""
    rows = _rows(view, Paper(look, _MOST_ROWS_OF_A_TEXT))
    if crowded(rows, height):
        rows = _rows(view, Paper(look, 1))
    return fitted(rows, height)


def due_secs(view: View) -> float | None:
    """Return in how many seconds time alone changes what is drawn; None for never."""
    return secs_to_next_change(view.state, view.now)


def _rows(view: View, paper: Paper) -> list[Row]:
    sections = [section for section in _sections(view, paper) if section]
    return [row for section in sections for row in [*section, blank()]][:-1]


def _sections(view: View, paper: Paper) -> list[list[Row]]:
    state = view.state
    counted = view.now if view.counted_until is None else view.counted_until
    nudge = [f"nudge: {state.nudge.text}"] if state.nudge else []
    return [
        [*_head(paper, state), *goal_rows(paper, state), *time_rows(paper, state, view.now)],
        [*_paragraphs(paper, 5, planning_lines(state)), *_task_rows(paper, state)],
        drift_rows(paper, state),
        window_rows(paper, state),
        [*review_rows(paper, state), *evidence_rows(paper, state, counted)],
        _paragraphs(paper, 10, nudge),
        _paragraphs(paper, 6, _troubles(state)),
        _hint_rows(paper, state),
        [*_paragraphs(paper, 0, view.messages, "bold"), *_key_rows(paper, state, view.now)],
    ]


def _paragraphs(paper: Paper, rank: int, texts: Iterable[str], style: str = "") -> list[Row]:
    return [row for text in texts for row in paper.paragraph(rank, text, style)]


def _task_rows(paper: Paper, state: State) -> list[Row]:
    """Return how many tasks there are, and the first of them under the numbers they go by."""
    items = state.tasks.items[:_MOST_TASKS] if state.tasks else ()
    return [
        *_paragraphs(paper, 5, tasks_lines(state)),
        *(
            paper.row(SPARE + number, (f"{number:4}  {each.title}", ""))
            for number, each in enumerate(items, start=1)
        ),
    ]


def _hint_rows(paper: Paper, state: State) -> list[Row]:
    """Return what somebody new may want to type in another terminal."""
    hints = _HINTS.get(state.runtime, ())
    return [paper.row(SPARE, (f"{typed:27}", ""), (does, "")) for typed, does in hints]


def _key_rows(paper: Paper, state: State, now: float) -> list[Row]:
    """Return what can be pressed; a key is never torn apart."""
    lines = [""]
    for each in offered(state, now):
        joined = f"{lines[-1]}, {each}" if lines[-1] else each
        if len(joined) <= paper.look.columns:
            lines[-1] = joined
        else:
            lines.append(each)
    return [paper.row(9 if at else 0, *_parts(line)) for at, line in enumerate(filter(None, lines))]


def _parts(line: str) -> Iterator[Part]:
    """Split a line of keys so that what is pressed stands out."""
    for at, each in enumerate(line.split(", ")):
        key, _, label = each.partition(" ")
        yield (", " if at else ""), ""
        yield key, "bold" if len(key) == 1 else ""
        yield f" {label}", ""


def _head(paper: Paper, state: State) -> list[Row]:
    match state.runtime:
        case "idle":
            about = "nothing planned"
        case "planning":
            about = state.intent or "no intent yet"
        case "active" | "review":
            about = action_of(state)
        case _:
            assert_never(state.runtime)
    return paper.paragraph(0, f"{state.runtime}: {about}", "bold")


def _troubles(state: State) -> list[str]:
    """Return what doesn't work as it should."""
    return [*sensor_lines(state), *saving_lines(state), *notice_lines(state)]

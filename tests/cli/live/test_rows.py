"""The view fits, whatever is in it and however small the terminal is."""

from typing import Final

import pytest
from msgspec.structs import replace

from antidrift_cli.live.drawing import View, draw
from antidrift_cli.live.look import Look
from antidrift_cli.visible import clusters, width
from protocol import views
from tests.cli.live.drawn import AS_OF, BLIND, EARLIER, END, STALE, rows
from tests.cli.samples import (
    ACTIVE,
    DRIFTING,
    IDLE,
    NOON,
    PROPOSED,
    REVIEW,
)

assert ACTIVE.commitment
HOSTILE: Final = "x \x1b[2J\x1b]52;c;QQ==\x07\n\u202eok\u200b [bold red]日本 " + "long " * 2000
CRAMMED: Final = replace(
    DRIFTING,
    commitment=replace(ACTIVE.commitment, next_action=HOSTILE, success_condition=HOSTILE),
    window=views.Window(window_class=HOSTILE, title=HOSTILE, since=NOON),
    drift=views.Drift(
        status="drifting",
        reason=HOSTILE,
        subject=views.Subject(window_class=HOSTILE, title=HOSTILE),
        open_drift=views.OpenDrift(
            subject=views.Subject(window_class=HOSTILE, title=HOSTILE), reason=HOSTILE, since=NOON
        ),
    ),
    nudge=views.Nudge(text=HOSTILE, at=NOON),
    notices=(HOSTILE,) * 20,
    durable=False,
)
SIZES: Final = [(80, 24), (40, 24), (20, 8), (200, 60), (1, 1)]
STATES: Final = {
    "idle": IDLE,
    "planning": PROPOSED,
    "active": ACTIVE,
    "drifting": DRIFTING,
    "review": REVIEW,
    "stale": STALE,
    "blind": BLIND,
    "crammed": CRAMMED,
}


def columns_of(row: str) -> int:
    return sum(map(width, clusters(row)))


@pytest.mark.parametrize("unicode", [True, False], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_everything_fits(state: views.State, size: tuple[int, int], unicode: bool) -> None:
    for at in (AS_OF, END + 9999):
        shown = rows(state, HOSTILE, at=at, size=size, unicode=unicode)

        assert 1 <= len(shown) <= size[1]
        assert all(columns_of(row) <= size[0] for row in shown)
        assert all(row.isprintable() for row in shown)
        assert unicode or all(row.isascii() for row in shown)


@pytest.mark.parametrize("name", ["active", "drifting", "review"])
def test_forty_columns_lose_no_key_and_no_line(name: str) -> None:
    wide, narrow = rows(STATES[name]), rows(STATES[name], size=(40, 24))

    assert len(narrow) >= len(wide)
    assert not any(row.endswith("…") for row in narrow if "quit" in row or "left" in row)
    assert "q quit" in narrow[-1]


def test_little_room_keeps_the_task_the_time_the_drift_and_the_keys() -> None:
    shown = rows(DRIFTING, size=(40, 6))

    assert shown == [
        "active: write the chapter",
        shown[1],
        " DRIFTING  firefox: Funny cats - YouTube",
        "  why: a video site",
        "  o it belongs to the task, r back to it",
        "o on task, r refocus, c complete",
    ]
    assert shown[1].endswith("15m left of 25m")


def test_a_long_text_takes_more_rows_where_there_is_room() -> None:
    notice = "one two three four five six seven eight nine ten eleven"
    state = replace(IDLE, notices=(notice,))

    tall, low = rows(state, size=(40, 24)), rows(state, size=(40, 4))

    assert "notice: one two three four five six" in tall
    assert "  seven eight nine ten eleven" in tall
    assert any(row.startswith("notice: ") and row.endswith("…") for row in low)


def test_markup_in_a_title_is_only_text() -> None:
    assert ACTIVE.window
    state = replace(ACTIVE, window=replace(ACTIVE.window, title="[bold]x[/bold] :smile:"))

    assert "window: code: [bold]x[/bold] :smile:" in rows(state)


def test_no_colour_is_hard_to_read_on_light_or_on_dark() -> None:
    styles = {
        word
        for state in (*STATES.values(), EARLIER)
        for at in (AS_OF, END + 1)
        for row in draw(View(state, at, ("told",)), Look(80, unicode=True), 60)
        for span in row.spans
        for word in str(span.style).split()
    }

    assert styles == {"bold", "reverse", "red", "green"}

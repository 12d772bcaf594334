"""Tables whose cells may be of any language."""

from datetime import UTC, datetime

from antidrift_cli.history.learned_text import learned_lines
from antidrift_cli.table import pad, table_lines
from antidrift_cli.visible import columns_of
from protocol.views import Learned, Lesson


def test_cells_are_padded_by_the_columns_that_they_take() -> None:
    assert table_lines(
        [["a", "1", "x"], ["日本", "22", "😀"], ["é", "333", ""]], [False, True, False]
    ) == [
        "a       1  x",
        "日本   22  😀",
        "é     333",
    ]


def test_what_is_too_long_is_left_as_it_is() -> None:
    assert pad("日本", 3) == "日本"
    assert pad("日", 4, right=True) == "  日"


def test_what_was_learned_of_windows_in_any_script_stands_in_columns() -> None:
    lessons = tuple(
        Lesson(
            number=number,
            kind="writing",
            window_class=name,
            ontask=0,
            offtask=2,
            sessions=2,
            since=datetime(2026, 11, 30, 12, tzinfo=UTC),
        )
        for number, name in enumerate(["code", "日本語エディタ", "🎮🎮"], 1)
    )
    heading, *rows = learned_lines(Learned(lessons=lessons))

    begins = {columns_of(row.removesuffix("writing")) for row in rows}
    assert begins == {heading.index("when you")}

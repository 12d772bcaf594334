"""Which lines of a todo.txt file are for today, and what is made of them."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.tasks.todotxt_lines import todays_entries

TODAY = date(2026, 11, 30)


def titles(*lines: str) -> list[str]:
    return [entry.title for entry in todays_entries("\n".join(lines), TODAY)]


@pytest.mark.parametrize(
    "line",
    [
        "x 2026-11-29 2026-11-01 call Ann",
        "x call Ann",
        "x (A) call Ann",
        "call Ann t:2026-12-01",
        "(A) call Ann t:2026-12-01 due:2026-11-01",
        "call Ann due:2026-12-01",
        "2026-11-01 call Ann due:2027-01-01",
        "call Ann h:1",
        "(A) h:1 call Ann",
    ],
)
def test_what_is_done_hidden_or_for_another_day_is_left_out(line: str) -> None:
    assert titles(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "call Ann",
        "(A) call Ann",
        "(Z) 2026-11-01 call Ann",
        "2026-11-01 call Ann",
        "call Ann due:2026-11-30",
        "due:2020-01-01 call Ann",
        "call t:2026-11-30 Ann",
        "call Ann t:2026-11-30 due:2026-11-30",
        "(B) call Ann due:2026-12-24",
        "call Ann rec:+1w pri:B h:0 due:2026-11-30",
        "  call   Ann\t\r",
    ],
)
def test_what_can_be_done_today_is_listed_by_its_bare_title(line: str) -> None:
    assert titles(line) == ["call Ann"]


@pytest.mark.parametrize(
    "title",
    [
        "xylophone lesson",
        "X 2026-11-29 an upper-case letter is no mark",
        "really (A) not first",
        "(a) no capital",
        "(A)no space",
        "(A)->(B) moved",
        "call Ann +family @phone",
        "read https://example.org/a:b at 12:30",
        "a t:shirt and due:tomorrow and due: nothing",
        "the 30th due:2026-02-30 is no day",
        "in 2026-11-29 inside",
        "due:20261201 and t:2026-W49-1 are written otherwise",
        "note: pri: and rec: of nothing",
    ],
)
def test_what_only_looks_like_a_mark_stays_in_the_title(title: str) -> None:
    assert titles(title) == [title]


def test_priority_comes_first_then_what_is_due_then_the_file_s_order() -> None:
    lines = [
        "none, first",
        "none, due due:2026-11-30",
        "(C) c",
        "(A) a, first",
        "none, overdue due:2026-11-01",
        "(A) a, due later due:2026-12-24",
        "(A) a, due due:2026-11-30",
        "none, last",
    ]
    assert titles(*lines) == [
        "a, due",
        "a, due later",
        "a, first",
        "c",
        "none, overdue",
        "none, due",
        "none, first",
        "none, last",
    ]


def test_an_id_stays_the_same_while_its_line_does() -> None:
    before = todays_entries("buy milk\n(A) call Ann\r\n", TODAY)
    after = todays_entries("(A) call Ann\nx buy milk\npay rent", TODAY + timedelta(days=1))
    assert before[0] == after[0]
    assert before[0].id != before[1].id


@given(st.text() | st.text("x (A)20-1:due\n\r t:h1"), st.dates())
def test_any_text_is_read(text: str, today: date) -> None:
    for entry in todays_entries(text, today):
        assert entry.id

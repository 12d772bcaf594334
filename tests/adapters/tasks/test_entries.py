"""Tasks made of entries: titles that can become an intent, ids that can be relied on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.tasks.entries import (
    MAX_ID_CHARS,
    MAX_TASKS,
    MAX_TITLE_CHARS,
    Entry,
    id_of,
    tasks_of,
)
from antidriftd.core.model import Task
from antidriftd.core.texts import checked_text


def title_of(title: str) -> str:
    (task,) = tasks_of("command", [Entry(title)])
    return task.title


def ids_of(*entries: Entry) -> list[str]:
    return [task.id for task in tasks_of("command", entries)]


def test_a_task_has_its_title_its_id_and_its_source() -> None:
    entries = [Entry("buy milk", "7"), Entry("call Ann", "8")]
    tasks = (Task("7", "buy milk", "marvin"), Task("8", "call Ann", "marvin"))
    assert tasks_of("marvin", entries) == tasks


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("  buy milk \r\n", "buy milk"),
        ("two\nlines\tand  a\u2028third", "two lines and a third"),
        (
            "\x1b[1;31mred\x1b[0m, \x1b]8;;https://example.org\x1b\\a link\x1b]8;;\x07",
            "red, a link",
        ),
        ("nul\0 bell\x07 del\x7f c1\x85end", "nul� bell� del� c1 end"),
        ("half a pair \ud83d", "half a pair �"),
        ("-rf --help", "-rf --help"),
        ("Familie 👩\u200d👩\u200d👧, naïve", "Familie 👩\u200d👩\u200d👧, naïve"),
        ("[not markup] $(touch x) %F{red}", "[not markup] $(touch x) %F{red}"),
    ],
)
def test_a_title_is_trimmed_on_one_line_and_has_no_control_characters(
    title: str, expected: str
) -> None:
    assert title_of(title) == expected


@pytest.mark.parametrize("title", ["", " \t\n", "\x1b[0m", "\u2003"])
def test_a_blank_title_is_dropped(title: str) -> None:
    assert ids_of(Entry("a", "1"), Entry(title, "2"), Entry("b", "3")) == ["1", "3"]


def test_a_long_title_is_cut_with_an_ellipsis() -> None:
    assert title_of("x" * MAX_TITLE_CHARS) == "x" * MAX_TITLE_CHARS
    assert title_of("x" * (MAX_TITLE_CHARS + 1)) == "x" * (MAX_TITLE_CHARS - 1) + "…"
    assert title_of("x" * 10_000_000) == "x" * (MAX_TITLE_CHARS - 1) + "…"


def test_the_first_tasks_are_kept_up_to_the_limit() -> None:
    entries = [Entry(" ")] + [Entry(f"task {number}") for number in range(MAX_TASKS + 1)]
    titles = [task.title for task in tasks_of("command", entries)]
    assert titles == [f"task {number}" for number in range(MAX_TASKS)]


def test_a_missing_id_follows_from_the_title_so_that_it_stays_the_same() -> None:
    first, second = Entry("buy milk"), Entry("call Ann")
    assert ids_of(first, second) == ids_of(second, first)[::-1]
    assert ids_of(first) == ids_of(Entry("  buy\tmilk\n"))
    assert ids_of(first) != ids_of(second)


@pytest.mark.parametrize("unfit", [" 7", "a b", "a\nb", "a\0b", "\ud800", "x" * 201, "\x1b[2J"])
def test_an_unfit_id_is_replaced_as_if_it_were_missing(unfit: str) -> None:
    assert ids_of(Entry("buy milk", unfit)) == ids_of(Entry("buy milk"))


def test_an_id_that_is_there_already_gets_a_number() -> None:
    entries = [Entry("a", "7"), Entry("b", "7-2"), Entry("c", "7"), Entry("d", "7")]
    assert ids_of(*entries) == ["7", "7-2", "7-3", "7-4"]


def test_a_long_id_stays_within_the_limit_with_its_number() -> None:
    first, second = ids_of(Entry("a", "x" * MAX_ID_CHARS), Entry("b", "x" * MAX_ID_CHARS))
    assert (first, second) == ("x" * MAX_ID_CHARS, "x" * (MAX_ID_CHARS - 2) + "-2")


@given(st.text())
def test_an_id_that_was_made_is_no_number_which_would_mean_a_place_in_the_list(text: str) -> None:
    assert not id_of(text).isdecimal()


anything = st.text(st.characters())  # half pairs and control characters too
SOME_TEXT = st.one_of(anything, st.sampled_from(["a", "b", "x" * 600, "\x1b[0m"]))


@given(st.lists(st.builds(Entry, SOME_TEXT, SOME_TEXT)))
def test_any_entries_make_tasks_that_can_be_told_apart_and_taken_as_an_intent(
    entries: list[Entry],
) -> None:
    tasks = tasks_of("command", entries)
    assert tasks == tasks_of("command", entries)
    assert len({task.id for task in tasks}) == len(tasks)
    for task in tasks:
        assert checked_text("the intent", task.title) == task.title
        assert checked_text("the id", task.id, max_chars=MAX_ID_CHARS) == task.id
        assert task.id.encode()
        assert task.title.encode()

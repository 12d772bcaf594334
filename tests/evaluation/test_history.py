"""The person's own answers as cases: with titles, by class alone, or not at all."""

import pytest

from antidriftd.core.learned import Label
from antidriftd.core.model import Commitment
from antidriftd.evaluation.cases import BadCases, CaseWindow
from antidriftd.evaluation.history import own_cases

HASH = "0123456789abcdef" * 2


def label(entry: int, *, title: str = "", page: str = "", on_task: bool = False) -> Label:
    return Label(
        session_id="s1",
        entry=entry,
        at=float(entry),
        on_task=on_task,
        window_class="firefox" if page else "steam",
        page=page,
        title=title,
        commitment=Commitment("write", "it is sent", 1500),
    )


def test_answers_with_titles_are_cases_the_oldest_first() -> None:
    own = own_cases([label(2, title="News", page="news"), label(1, title="a game", on_task=True)])

    assert [(case.id, case.label, case.window) for case in own.cases] == [
        ("s1:1", "on_task", CaseWindow("steam", "a game")),
        ("s1:2", "drift", CaseWindow("firefox", "News")),
    ]
    assert own.cases[0].commitment.success_condition == "it is sent"
    assert own.remark == ""


@pytest.mark.parametrize("title", ["", HASH])
def test_without_titles_programs_are_judged_by_class_and_pages_left_out(title: str) -> None:
    own = own_cases([label(1, title=title), label(2, title=title, page=HASH)])

    assert [case.window for case in own.cases] == [CaseWindow("steam", "")]
    assert own.remark == (
        "titles are missing (history.titles): of 2 answers 1 are judged by the window class alone, "
        "1 about pages are left out"
    )


def test_pages_alone_without_titles_cannot_be_judged() -> None:
    with pytest.raises(BadCases, match="none of your 2 answers can be judged"):
        own_cases([label(1, page=HASH), label(2, page=HASH)])


def test_without_answers_there_is_nothing_to_judge() -> None:
    with pytest.raises(BadCases, match="no answer of yours"):
        own_cases([])

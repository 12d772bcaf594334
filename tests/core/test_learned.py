"""What earlier answers say of a window: who counts, how much, and for how long."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.core.learned import (
    HALF_LIFE_SECS,
    MAX_LOG_ODDS,
    ClassUse,
    Label,
    Past,
    Subject,
    hint_of,
    lessons_of,
    subject_of,
    subject_of_label,
    usual_classes,
)
from antidriftd.core.model import Commitment, Window
from tests.builders import RULES

NOW = 1_800_000_000.0
WRITE = Commitment("write the report", "it is sent", 1500)
BROWSING = replace(
    RULES,
    many_faced={"firefox": ("mozilla firefox",), "xterm": ()},
    browsers=frozenset({"firefox"}),
    history_exclude=("*bank*",),
)


def label(
    session: str = "s1",
    entry: int = 1,
    *,
    on_task: bool = False,
    window_class: str = "steam",
    page: str = "",
    age_secs: float = 0.0,
    commitment: Commitment = WRITE,
) -> Label:
    return Label(
        session_id=session,
        entry=entry,
        at=NOW - age_secs,
        on_task=on_task,
        window_class=window_class,
        page=page,
        title="",
        commitment=commitment,
    )


def use(window_class: str, secs: float, commitment: Commitment = WRITE) -> ClassUse:
    return ClassUse(commitment=commitment, window_class=window_class, ontask_secs=secs)


def kind_of(commitment: Commitment) -> str:
    return commitment.next_action.split(" ", maxsplit=1)[0]


def test_one_answer_on_a_class_says_nothing_yet() -> None:
    assert hint_of([label()], NOW) is None


def test_two_sessions_that_agree_on_a_class_are_a_hint() -> None:
    hint = hint_of([label("s1"), label("s2")], NOW)

    assert hint is not None
    assert (hint.on_task, hint.sessions) == (False, 2)
    assert hint.reason == "you called it off task in 2 sessions like this"


def test_one_answer_on_the_same_page_is_a_hint() -> None:
    hint = hint_of([label(on_task=True, page="the page")], NOW)

    assert hint is not None
    assert hint.reason == "you called it on task in a session like this"


def test_a_session_has_one_vote_its_last_word() -> None:
    angry = [label("s1", entry, age_secs=10 - entry) for entry in range(5)]
    assert hint_of(angry, NOW) is None

    changed_their_mind = [label("s2", 6, age_secs=60), label("s2", 7, on_task=True)]
    assert hint_of([label("s1", on_task=True), *changed_their_mind], NOW) is not None


def test_answers_that_contradict_each_other_say_nothing() -> None:
    assert hint_of([label("s1"), label("s2"), label("s3", on_task=True)], NOW) is not None
    split = [label("s1"), label("s2"), label("s3", on_task=True), label("s4", on_task=True)]
    assert hint_of(split, NOW) is None


def test_old_answers_fade_away() -> None:
    def of_age(age_secs: float) -> list[Label]:
        return [label("s1", age_secs=age_secs), label("s2", age_secs=age_secs)]

    fresh, old = hint_of(of_age(0), NOW), hint_of(of_age(HALF_LIFE_SECS * 0.9), NOW)
    assert fresh is not None
    assert old is not None
    assert fresh.log_odds > old.log_odds
    assert hint_of(of_age(HALF_LIFE_SECS * 1.1), NOW) is None


def test_a_fresh_answer_outweighs_one_of_long_ago() -> None:
    labels = [
        label("s1", page="p", age_secs=3 * HALF_LIFE_SECS),
        label("s2", page="p", on_task=True),
    ]
    hint = hint_of(labels, NOW)

    assert hint is not None
    assert hint.on_task


@given(st.lists(st.builds(label, st.sampled_from("abcdefgh"), on_task=st.booleans())))
def test_no_number_of_answers_is_more_than_a_hint(labels: list[Label]) -> None:
    hint = hint_of(labels, NOW)

    assert hint is None or 0 < abs(hint.log_odds) <= MAX_LOG_ODDS


def test_a_browser_is_known_by_its_page_and_others_by_their_class() -> None:
    page = subject_of(Window("Firefox", "News - Mozilla Firefox"), BROWSING)
    assert page is not None
    assert page.program == "firefox"
    assert page.page
    assert subject_of(Window("Steam", "a game"), BROWSING) == Subject("steam", "")


@pytest.mark.parametrize(
    "window",
    [
        Window("firefox", "Mozilla Firefox"),
        Window("firefox", "My Bank - Mozilla Firefox"),
        Window("bank-app", ""),
        Window("", "a title"),
    ],
)
def test_no_page_no_class_and_what_is_excluded_are_nothing_to_learn_of(window: Window) -> None:
    assert subject_of(window, BROWSING) is None


@pytest.mark.parametrize(
    "of_no_use",
    [
        label(window_class="Firefox"),
        label(window_class="steam", page="p"),
        label(window_class="Bank-App"),
    ],
)
def test_labels_that_fit_no_window_any_more_are_no_hint_but_are_listed(of_no_use: Label) -> None:
    assert subject_of_label(of_no_use, BROWSING) is None
    again = replace(of_no_use, session_id="s2", entry=2)
    (lesson,) = lessons_of(Past((of_no_use, again), as_of=NOW), kind_of, BROWSING)
    assert (lesson.hint, len(lesson.labels)) == (None, 2)


def test_lessons_are_by_kind_of_commitment_and_window_the_oldest_first() -> None:
    call = Commitment("call the bank", "", 600)
    labels = (
        label("s3", window_class="Steam"),
        label("s2", window_class="steam", age_secs=20),
        label("s1", window_class="gimp", on_task=True, age_secs=30),
        label("s4", window_class="steam", commitment=call),
    )
    lessons = lessons_of(Past(labels, as_of=NOW), kind_of, BROWSING)

    assert [(each.kind, each.subject.program, each.sessions) for each in lessons] == [
        ("write", "gimp", 1),
        ("write", "steam", 2),
        ("call", "steam", 1),
    ]
    assert [each.hint is not None for each in lessons] == [False, True, False]


def test_the_usual_classes_are_those_most_used_for_such_things() -> None:
    call = Commitment("call the bank", "", 600)
    uses = [
        use("Code", 100),
        use("code", 300),
        use("gimp", 350),
        use("xterm", 61),
        use("mail", 59),
        use("phone", 9000, call),
    ]

    assert usual_classes(uses, "write", kind_of, BROWSING) == ("Code", "gimp", "xterm")
    assert usual_classes(uses, "", lambda commitment: "", BROWSING) == ()


def test_browsers_and_what_is_excluded_or_unfit_are_never_proposed() -> None:
    uses = [use(name, 900) for name in ("firefox", "Bank-App", "", "bad\x1bname", "x" * 300)]

    assert usual_classes(uses, "write", kind_of, BROWSING) == ()


def test_at_most_five_are_proposed() -> None:
    uses = [use(f"program{number}", 100 + number) for number in range(9)]

    assert usual_classes(uses, "write", kind_of, BROWSING) == tuple(
        f"program{number}" for number in (8, 7, 6, 5, 4)
    )

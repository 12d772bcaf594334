"""What helps before a session, in lines: the coach, the profile, the tasks."""

import pytest
from msgspec.structs import replace

from antidrift_cli.render import status_lines
from antidrift_cli.render_planning import coach_lines, profile_lines, tasks_lines
from protocol import views
from tests.cli.samples import (
    ACTIVE,
    ASKED,
    IDLE,
    NO_PROPOSAL,
    PLANNING,
    PROFILE,
    PROPOSAL,
    PROPOSED,
    TASKS,
    grounded,
)

SHOWN_PROPOSAL = [
    "proposal: write its first page (25m)",
    "  done when: a friend has the page",
    "  allowed: code, evince",
]


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        (IDLE, []),
        (PLANNING, []),
        (replace(PLANNING, coach=views.Coach(status="idle")), []),
        (ASKED, ["coach: asked, no answer yet"]),
        (PROPOSED, SHOWN_PROPOSAL),
        (NO_PROPOSAL, ["coach: no proposal (no login)"]),
        (
            replace(PLANNING, coach=views.Coach(status="error")),
            ["coach: no proposal (no reason given)"],
        ),
    ],
)
def test_each_answer_of_the_coach_has_its_words(state: views.State, lines: list[str]) -> None:
    assert coach_lines(state) == lines


def test_what_a_proposal_leaves_open_is_not_shown() -> None:
    short = replace(PROPOSAL, success_condition="", allowed_window_classes=(), timebox_secs=90)
    state = replace(PROPOSED, coach=views.Coach(status="ready", proposal=short))

    assert coach_lines(state) == ["proposal: write its first page (1m 30s)"]


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        (ACTIVE, []),
        (PLANNING, []),
        (grounded("idle"), []),
        (grounded("pending"), ["loading profile…"]),
        (grounded("ready"), ["grounded by me.md"]),
        (grounded("absent"), ["no profile (~/notes/me.md)"]),
        (grounded("absent", "/home/annette/me.md"), ["no profile (/home/annette/me.md)"]),
        (grounded("error"), ["profile unreadable"]),
    ],
)
def test_each_state_of_the_profile_has_its_words(state: views.State, lines: list[str]) -> None:
    assert profile_lines(state) == lines


@pytest.mark.parametrize(
    ("tasks", "lines"),
    [
        (None, []),
        (views.Tasks(status="idle"), []),
        (views.Tasks(status="pending"), ["loading tasks…"]),
        (
            views.Tasks(status="ready", items=TASKS),
            ["2 tasks; antidrift tasks lists them"],
        ),
        (
            views.Tasks(status="ready", items=TASKS[:1]),
            ["1 task; antidrift tasks lists them"],
        ),
        (views.Tasks(status="empty"), ["no tasks for today"]),
        (views.Tasks(status="error", error="it took too long"), ["tasks: it took too long"]),
    ],
)
def test_each_state_of_the_task_list_has_its_words(
    tasks: views.Tasks | None, lines: list[str]
) -> None:
    assert tasks_lines(replace(IDLE, tasks=tasks)) == lines


def test_status_shows_them_between_the_plan_and_the_window() -> None:
    state = replace(
        PROPOSED,
        knowledge=views.Knowledge(status="ready", path=PROFILE, chars=12),
        tasks=views.Tasks(status="empty"),
    )

    assert status_lines(state) == [
        "planning: write the chapter; begin with: antidrift start",
        *SHOWN_PROPOSAL,
        "grounded by me.md",
        "no tasks for today",
        "window: none",
    ]


def test_what_others_wrote_without_end_is_cut() -> None:
    state = replace(
        NO_PROPOSAL,
        coach=views.Coach(status="error", error="e" * 5000),
        knowledge=views.Knowledge(status="absent", path="/" + "p" * 4000),
        tasks=views.Tasks(status="error", error="t" * 5000),
    )

    assert all(len(line) < 500 for line in status_lines(state))

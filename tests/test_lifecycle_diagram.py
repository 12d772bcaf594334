"""The diagram in docs/architecture.md is the table of legal phase changes, drawn."""

from collections import defaultdict
from typing import get_args

from antidriftd.core.events import (
    AllowContext,
    CancelPlanning,
    CloseReview,
    Command,
    CompleteSession,
    CondemnContext,
    DisallowContext,
    EnterPlanning,
    ExtendSession,
    FetchTasks,
    OfferDisplay,
    PauseSession,
    Refocus,
    RequestCoach,
    ResumeSession,
    SelectProfile,
    StartSession,
)
from antidriftd.core.lifecycle import LIFECYCLE
from antidriftd.core.state import PhaseName
from tests.checkout import ROOT

PHASES = set(get_args(PhaseName))
METHODS: dict[type[Command], str] = {
    EnterPlanning: "plan",
    RequestCoach: "coach",
    FetchTasks: "tasks",
    CancelPlanning: "cancel",
    StartSession: "start",
    AllowContext: "ontask",
    CondemnContext: "offtask",
    DisallowContext: "disallow",
    Refocus: "refocus",
    ExtendSession: "extend",
    PauseSession: "pause",
    ResumeSession: "resume",
    CompleteSession: "complete",
    CloseReview: "review",
}


def _draw() -> str:
    arrows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for command, changes in LIFECYCLE.items():
        if command in METHODS:
            for before, after in changes.items():
                arrows[before, after].append(METHODS[command])
    lines = [
        f"    {before} --> {after}: {', '.join(names)}" for (before, after), names in arrows.items()
    ]
    return "\n".join(["stateDiagram-v2", "    [*] --> idle", *lines])


def test_the_diagram_shows_the_table() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    drawn = page.partition("```mermaid\n")[2].partition("\n```")[0]
    assert sorted(drawn.splitlines()) == sorted(_draw().splitlines())


def test_only_a_command_that_is_taken_everywhere_is_left_out() -> None:
    left_out = LIFECYCLE.keys() - METHODS.keys()
    assert left_out == {OfferDisplay, SelectProfile}
    for command in left_out:
        assert set(LIFECYCLE[command]) == PHASES
        assert all(before == after for before, after in LIFECYCLE[command].items())

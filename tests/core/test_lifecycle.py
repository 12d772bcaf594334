"""Which command is taken in which phase, and what a refused one leaves behind: nothing."""

from itertools import product

import pytest

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
from antidriftd.core.model import Display
from antidriftd.core.state import PhaseName
from tests.builders import WITH_HELP, Machine

START = StartSession(session_id="s", next_action="write")
BARE_START = StartSession(session_id="s")

COMMANDS: list[Command] = [
    EnterPlanning(),
    EnterPlanning("the report"),
    RequestCoach("the report"),
    RequestCoach(),
    FetchTasks(),
    SelectProfile("/profile.md"),
    CancelPlanning(),
    START,
    BARE_START,
    AllowContext(window_class="code"),
    DisallowContext(),
    Refocus(),
    ExtendSession(60),
    CompleteSession(),
    CloseReview(),
    CondemnContext(),
    PauseSession(),
    ResumeSession(),
    OfferDisplay(Display(":0")),
]
PHASES: list[PhaseName] = ["idle", "planning", "active", "review"]

# What is taken, and the phase that it leads to; anything else is refused.
LEGAL: dict[tuple[Command, PhaseName], PhaseName] = {
    (EnterPlanning(), "idle"): "planning",
    (EnterPlanning(), "planning"): "planning",
    (EnterPlanning(), "review"): "planning",
    (EnterPlanning("the report"), "idle"): "planning",
    (EnterPlanning("the report"), "planning"): "planning",
    (EnterPlanning("the report"), "review"): "planning",
    (RequestCoach("the report"), "idle"): "planning",
    (RequestCoach("the report"), "planning"): "planning",
    (RequestCoach("the report"), "review"): "planning",
    (RequestCoach(), "planning"): "planning",
    (FetchTasks(), "idle"): "idle",
    (FetchTasks(), "planning"): "planning",
    (SelectProfile("/profile.md"), "idle"): "idle",
    (SelectProfile("/profile.md"), "planning"): "planning",
    (SelectProfile("/profile.md"), "active"): "active",
    (SelectProfile("/profile.md"), "review"): "review",
    (CancelPlanning(), "planning"): "idle",
    (START, "idle"): "active",
    (START, "planning"): "active",
    (START, "review"): "active",
    (BARE_START, "planning"): "active",
    (AllowContext(window_class="code"), "active"): "active",
    (CondemnContext(), "active"): "active",
    (DisallowContext(), "active"): "active",
    (Refocus(), "active"): "active",
    (ExtendSession(60), "active"): "active",
    (PauseSession(), "active"): "active",
    (ResumeSession(), "active"): "active",
    (CompleteSession(), "active"): "review",
    (CloseReview(), "review"): "idle",
    (OfferDisplay(Display(":0")), "idle"): "idle",
    (OfferDisplay(Display(":0")), "planning"): "planning",
    (OfferDisplay(Display(":0")), "active"): "active",
    (OfferDisplay(Display(":0")), "review"): "review",
}
NEEDS_A_SESSION = (
    AllowContext,
    CondemnContext,
    DisallowContext,
    Refocus,
    ExtendSession,
    PauseSession,
    ResumeSession,
    CompleteSession,
)


def machine_in(phase: PhaseName) -> Machine:
    machine = Machine(WITH_HELP)
    machine.lose_sensor()
    if phase == "planning":
        machine.plan("an intent")
    if phase in {"active", "review"}:
        machine.start("gimp")
    if phase == "review":
        machine.complete()
    assert machine.state.phase.name == phase
    return machine


@pytest.mark.parametrize(("command", "phase"), LEGAL)
def test_a_legal_command_leads_to_its_phase(command: Command, phase: PhaseName) -> None:
    machine = machine_in(phase)
    if isinstance(command, ResumeSession):
        machine.feed(PauseSession())
    if isinstance(command, CondemnContext):
        machine.focus("evince", "a.pdf")
        machine.wait(3)

    machine.feed(command)

    assert machine.state.phase.name == LEGAL[command, phase]


@pytest.mark.parametrize(
    ("command", "phase"), [pair for pair in product(COMMANDS, PHASES) if pair not in LEGAL]
)
def test_an_illegal_command_is_refused_with_its_kind(command: Command, phase: PhaseName) -> None:
    expected = "not_active" if isinstance(command, NEEDS_A_SESSION) else "wrong_state"

    assert machine_in(phase).refused(command) == expected


def test_the_table_names_every_command() -> None:
    assert set(LIFECYCLE) == {type(command) for command in COMMANDS}


@pytest.mark.parametrize("phase", PHASES)
def test_a_command_out_of_place_is_refused_for_that_before_its_values_are_read(
    phase: PhaseName,
) -> None:
    machine = machine_in(phase)

    if phase in {"idle", "review"}:
        bare = StartSession(session_id="s", allowed_window_classes=("",), timebox_secs=0)
        assert machine.refused(bare) == "wrong_state"
    if phase != "active":
        assert machine.refused(ExtendSession(0)) == "not_active"
    if phase != "review":
        assert machine.refused(CloseReview(note="\0")) == "wrong_state"

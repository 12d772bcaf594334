"""The order of what is wanted done, and when the machine wants to be woken."""

import pytest

from antidriftd.core.effects import AskJudge, EndRequest, SaveSnapshot, UseDisplay
from antidriftd.core.events import (
    CompleteSession,
    JudgmentFailed,
    OfferDisplay,
    Refocus,
    StartSession,
    TimeElapsed,
    WindowFocused,
)
from antidriftd.core.machine import Transition, next_deadline, transition
from antidriftd.core.model import Commitment, Display, Window
from tests.builders import Machine

STEAM = Window("steam", "a game")


def deadline(machine: Machine) -> float | None:
    return next_deadline(machine.state, machine.time.now())


class TestEffects:
    def test_a_command_is_saved(self) -> None:
        machine = Machine()

        assert machine.feed(StartSession(session_id="s", next_action="write")) == (SaveSnapshot(),)

    def test_a_question_names_the_commitment_and_the_window(self) -> None:
        machine = Machine()
        machine.feed(
            StartSession(session_id="s", next_action="write", success_condition="two pages")
        )
        machine.focus("steam", "a game")
        machine.wait(2)

        assert machine.effects[-1] == AskJudge(1, Commitment("write", "two pages", 1500), STEAM)

    def test_an_old_question_is_ended_before_the_next_is_asked(self) -> None:
        machine = Machine()
        machine.start()
        machine.focus("mpv")
        machine.wait(2)
        machine.focus("steam", "a game")
        machine.wait(10)
        effects = machine.feed(Refocus())

        commitment = machine.session.commitment
        assert effects == (SaveSnapshot(), EndRequest(1), AskJudge(2, commitment, STEAM))

    def test_an_answered_question_is_not_ended(self) -> None:
        machine = Machine()
        machine.start()
        machine.focus("steam")
        machine.wait(2)
        machine.fail()
        machine.wait(60)
        machine.answer(True)

        assert machine.ended == []

    def test_the_question_of_a_session_that_ends_is_ended(self) -> None:
        machine = Machine()
        machine.start()
        machine.focus("steam")
        machine.wait(2)

        assert machine.feed(CompleteSession()) == (SaveSnapshot(), EndRequest(1))

    def test_a_question_that_grew_stale_is_ended_whichever_event_tells(self) -> None:
        machine = Machine()
        machine.start()
        machine.focus("steam")
        machine.wait(2)
        machine.time.suspend(5 * 3600)

        assert machine.feed(JudgmentFailed(99, "late")) == (EndRequest(1),)

    def test_a_display_is_saved_and_used(self) -> None:
        machine = Machine()
        machine.lose_sensor()
        display = Display(":0")

        assert machine.feed(OfferDisplay(display)) == (SaveSnapshot(), UseDisplay(display))

    def test_a_display_is_handed_over_once(self) -> None:
        machine = Machine()
        machine.lose_sensor()
        display = Display(":0")
        machine.feed(OfferDisplay(display))
        machine.focus("steam")
        machine.feed(OfferDisplay(display))
        machine.start()
        machine.wait(100)

        assert machine.effects.count(UseDisplay(display)) == 1

    def test_an_observation_wants_nothing_done(self) -> None:
        machine = Machine()
        machine.start("steam")

        assert machine.feed(WindowFocused(STEAM)) == ()

    def test_the_state_before_is_left_as_it_was(self) -> None:
        machine = Machine()
        machine.start()
        machine.focus("steam")
        before, text = machine.state, repr(machine.state)
        machine.time.advance(100)
        now = machine.time.now()

        first = transition(before, TimeElapsed(), now)
        assert repr(before) == text
        assert transition(before, TimeElapsed(), now) == first
        assert isinstance(first, Transition)
        assert first.state is not before


class TestDeadlines:
    @pytest.mark.parametrize("phase", ["idle", "planning", "review"])
    def test_nothing_ticks_while_nothing_is_due(self, phase: str) -> None:
        machine = Machine()
        machine.focus("steam")
        if phase == "planning":
            machine.plan()
        if phase == "review":
            machine.start()
            machine.complete()

        assert deadline(machine) is None

    def test_a_quiet_session_wakes_only_to_be_saved(self) -> None:
        machine = Machine()
        machine.start("code")
        machine.focus("code")

        assert deadline(machine) == 50

    def test_the_first_that_is_due_counts(self) -> None:
        machine = Machine()
        machine.start("code")
        machine.focus("steam")
        assert deadline(machine) == 2
        machine.focus_nothing()
        assert deadline(machine) == pytest.approx(0.05)
        machine.focus("steam")
        machine.wait(2)
        assert deadline(machine) == pytest.approx(48)
        machine.fail()
        assert deadline(machine) == pytest.approx(48)
        machine.wait(48)
        assert deadline(machine) == pytest.approx(12)
        machine.disk = "full"
        machine.extend(60)

        assert deadline(machine) == pytest.approx(1)

    def test_one_that_has_passed_is_due_now(self) -> None:
        machine = Machine()
        machine.start()
        machine.time.advance(1_000)

        assert deadline(machine) == 0

    def test_the_open_drift_ends_on_time(self) -> None:
        machine = Machine()
        machine.start("code")
        machine.drift_on("steam")
        machine.focus("code")
        machine.wait(296)

        assert deadline(machine) == pytest.approx(4)

    def test_a_session_is_stale_on_time(self) -> None:
        machine = Machine()
        machine.start("code", timebox_secs=60)
        machine.wait(7_255)

        assert deadline(machine) == pytest.approx(5)

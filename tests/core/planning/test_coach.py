"""The coach: who may ask, which answer counts, and what `start` makes of it."""

from dataclasses import replace

import pytest

from antidriftd.core.effects import AskCoach, EndRequest, SaveSnapshot
from antidriftd.core.events import (
    CancelPlanning,
    CoachFailed,
    CoachReturned,
    RequestCoach,
    StartSession,
)
from antidriftd.core.model import Commitment, Proposal
from antidriftd.core.planning_state import Coaching
from antidriftd.core.recording_state import SessionReviewed
from antidriftd.core.state import Planning
from tests.builders import RULES, WITH_HELP
from tests.core.planning.planner import OUTLINE, Planner, planning, with_a_proposal


class TestAsking:
    def test_is_about_the_intent_that_is_planned(self) -> None:
        machine = planning("the report")
        asked = machine.coach()

        assert asked.intent == "the report"
        assert machine.coaching == Coaching("pending", request=asked.request)

    @pytest.mark.parametrize("phase", ["idle", "planning", "review"])
    def test_with_an_intent_plans_first(self, phase: str) -> None:
        machine = planning("something else") if phase == "planning" else Planner()
        if phase == "review":
            machine.start()
            machine.complete()
        machine.feed(RequestCoach(" the report "))
        machine.load("")
        asked = machine.under_way.only(AskCoach)

        assert asked.intent == machine.planning.intent == "the report"
        reviewed = [each for each in machine.history.values() if isinstance(each, SessionReviewed)]
        assert len(reviewed) == (phase == "review")

    def test_without_an_intent_has_nothing_to_ask_about(self) -> None:
        assert planning(None).refused(RequestCoach()) == "invalid_value"
        assert planning(None).refused(RequestCoach("")) == "invalid_value"
        assert Planner().refused(RequestCoach()) == "wrong_state"

    @pytest.mark.parametrize("phase", ["idle", "planning", "review"])
    def test_without_an_advisor_is_unavailable_and_changes_nothing(self, phase: str) -> None:
        machine = Planner(RULES)
        if phase == "planning":
            machine.plan("the report")
        if phase == "review":
            machine.start()
            machine.complete()

        assert machine.refused(RequestCoach("the report")) == "unavailable"

    def test_in_a_session_is_out_of_place_with_an_advisor_or_without(self) -> None:
        for rules in (RULES, WITH_HELP):
            machine = Planner(rules)
            machine.start()
            assert machine.refused(RequestCoach("the report")) == "wrong_state"

    def test_again_replaces_the_first_question(self) -> None:
        machine = planning()
        first = machine.coach()
        effects = machine.feed(RequestCoach())
        second = machine.under_way.only(AskCoach)

        assert effects == (SaveSnapshot(), EndRequest(first.request), second)
        machine.feed(CoachReturned(first.request, OUTLINE))
        assert machine.coaching == Coaching("pending", request=second.request)

    def test_again_drops_the_proposal(self) -> None:
        machine = with_a_proposal()
        machine.coach()

        assert machine.coaching.proposal is None


class TestTheAnswer:
    def test_is_ready_to_be_taken(self) -> None:
        machine = with_a_proposal()

        assert machine.coaching == Coaching("ready", proposal=OUTLINE)

    def test_is_saved_when_it_comes(self) -> None:
        machine = planning()
        asked = machine.coach()

        assert machine.feed(CoachReturned(asked.request, OUTLINE)) == (SaveSnapshot(),)

    def test_that_fails_is_told(self) -> None:
        machine = planning()
        machine.feed(CoachFailed(machine.coach().request, "it printed nothing"))

        assert machine.coaching == Coaching("error", error="it printed nothing")
        assert machine.planning.intent == "the report"

    @pytest.mark.parametrize("answer", ["ready", "error"])
    def test_to_a_question_that_is_no_longer_open_changes_nothing(self, answer: str) -> None:
        machine = planning()
        asked = machine.coach()
        machine.plan("the budget")
        before = machine.state
        late = CoachReturned(asked.request, OUTLINE) if answer == "ready" else CoachFailed(1, "")
        machine.feed(late)

        assert machine.state == before

    def test_that_comes_twice_counts_once(self) -> None:
        machine = planning()
        asked = machine.coach()
        machine.propose()
        before = machine.state
        machine.feed(CoachReturned(asked.request, replace(OUTLINE, next_action="sleep")))

        assert machine.state == before

    def test_after_a_restart_to_a_question_from_before_changes_nothing(self) -> None:
        machine = planning()
        asked = machine.coach()
        machine.restart()
        machine.feed(CoachReturned(asked.request, OUTLINE))

        assert machine.coaching == Coaching()

    @pytest.mark.parametrize("browser", ["firefox", "Firefox", " FIREFOX ", "chromium"])
    def test_loses_its_browsers(self, browser: str) -> None:
        machine = with_a_proposal(replace(OUTLINE, allowed_window_classes=("code", browser)))

        assert machine.coaching.proposal == replace(OUTLINE, allowed_window_classes=("code",))

    def test_keeps_its_terminals(self) -> None:
        machine = with_a_proposal(replace(OUTLINE, allowed_window_classes=("kitty",)))

        assert machine.coaching.proposal is not None
        assert machine.coaching.proposal.allowed_window_classes == ("kitty",)

    def test_holds_each_class_once_and_trimmed(self) -> None:
        machine = with_a_proposal(replace(OUTLINE, allowed_window_classes=(" code", "Code")))

        assert machine.coaching.proposal == replace(OUTLINE, allowed_window_classes=("code",))

    @pytest.mark.parametrize(
        "flaw",
        [
            replace(OUTLINE, next_action=" "),
            replace(OUTLINE, next_action="a\nb"),
            replace(OUTLINE, next_action="x" * 513),
            replace(OUTLINE, success_condition="\x1b[2J"),
            replace(OUTLINE, timebox_secs=0),
            replace(OUTLINE, timebox_secs=-1500),
            replace(OUTLINE, timebox_secs=86_401),
            replace(OUTLINE, allowed_window_classes=("",)),
            replace(OUTLINE, allowed_window_classes=("co\0de",)),
            replace(OUTLINE, allowed_window_classes=tuple(map(str, range(201)))),
        ],
    )
    def test_that_no_start_would_take_is_an_error(self, flaw: Proposal) -> None:
        machine = with_a_proposal(flaw)

        assert (machine.coaching.status, machine.coaching.proposal) == ("error", None)
        assert machine.coaching.error.startswith("what the coach proposed can't be started: ")


class TestANewIntent:
    def test_drops_the_proposal(self) -> None:
        machine = with_a_proposal()
        machine.plan("the budget")

        assert machine.state.phase == Planning("the budget")

    def test_ends_the_question_under_way(self) -> None:
        machine = planning()
        asked = machine.coach()
        machine.plan("the budget")

        assert machine.ended == [asked.request]
        assert machine.state.phase == Planning("the budget")

    @pytest.mark.parametrize("intent", [None, "the report", " the report"])
    def test_that_is_the_old_one_drops_nothing(self, intent: str | None) -> None:
        machine = with_a_proposal()
        machine.plan(intent)
        assert machine.coaching == Coaching("ready", proposal=OUTLINE)

        machine.coach()
        machine.plan(intent)
        assert machine.ended == []
        assert machine.coaching.status == "pending"


class TestStart:
    def test_bare_takes_the_proposal(self) -> None:
        machine = with_a_proposal()
        machine.feed(StartSession(session_id="s"))

        assert machine.session.commitment == Commitment("write the outline", "five headings", 1800)
        assert machine.allowed == [("class", "code"), ("class", "gimp")]
        assert machine.session.ends - machine.session.started == 1800
        assert machine.session.intent == "the report"

    @pytest.mark.parametrize(
        ("given", "commitment", "classes"),
        [
            (
                StartSession(session_id="s", next_action="read"),
                Commitment("read", "five headings", 1800),
                ["code", "gimp"],
            ),
            (
                StartSession(session_id="s", success_condition=""),
                Commitment("write the outline", "", 1800),
                ["code", "gimp"],
            ),
            (
                StartSession(session_id="s", timebox_secs=60),
                Commitment("write the outline", "five headings", 60),
                ["code", "gimp"],
            ),
            (
                StartSession(session_id="s", allowed_window_classes=("mpv",)),
                Commitment("write the outline", "five headings", 1800),
                ["mpv"],
            ),
            (
                StartSession(session_id="s", allowed_window_classes=()),
                Commitment("write the outline", "five headings", 1800),
                [],
            ),
        ],
    )
    def test_takes_the_rest_from_the_proposal_when_some_is_given(
        self, given: StartSession, commitment: Commitment, classes: list[str]
    ) -> None:
        machine = with_a_proposal()
        machine.feed(given)

        assert machine.session.commitment == commitment
        assert machine.allowed == [("class", entry) for entry in classes]

    def test_takes_the_intent_while_the_coach_is_thinking(self) -> None:
        machine = planning()
        machine.coach()
        machine.feed(StartSession(session_id="s"))

        assert machine.session.commitment == Commitment("the report", "", 1500)

    def test_takes_the_intent_when_the_coach_has_failed(self) -> None:
        machine = planning()
        machine.feed(CoachFailed(machine.coach().request, "no"))
        machine.feed(StartSession(session_id="s"))

        assert machine.session.commitment.next_action == "the report"

    def test_takes_no_proposal_from_an_earlier_planning(self) -> None:
        machine = with_a_proposal()
        machine.feed(CancelPlanning())
        machine.plan()

        assert machine.refused(StartSession(session_id="s")) == "invalid_value"


class TestLeavingPlanning:
    @pytest.mark.parametrize(
        "command", [CancelPlanning(), StartSession(session_id="s", next_action="read")]
    )
    def test_ends_the_question_under_way(self, command: CancelPlanning | StartSession) -> None:
        machine = planning()
        asked = machine.coach()
        machine.feed(command)
        assert asked.request in machine.ended
        before = machine.state
        machine.feed(CoachReturned(asked.request, OUTLINE))

        assert machine.state == before

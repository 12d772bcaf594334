"""What `plan`, `start`, `extend`, `complete`, `review` and `display` make of their values."""

import pytest

from antidriftd.core.effects import UseDisplay
from antidriftd.core.events import (
    AllowContext,
    CloseReview,
    DisallowContext,
    EnterPlanning,
    ExtendSession,
    OfferDisplay,
    Outcome,
    StartSession,
)
from antidriftd.core.model import Commitment, Display
from antidriftd.core.recording_state import SessionReviewed
from antidriftd.core.state import Idle, Planning, Review
from tests.builders import SENSOR_OK, Machine
from tests.core.running import running


def said(machine: Machine) -> SessionReviewed:
    """Return what was said of the only session that was reviewed."""
    (review,) = (each for each in machine.history.values() if isinstance(each, SessionReviewed))
    return review


def planning(intent: str | None = None) -> Machine:
    machine = Machine()
    machine.plan(intent)
    return machine


class TestPlan:
    def test_takes_an_intent_trimmed(self) -> None:
        assert planning("  the report ").state.phase == Planning("the report")

    def test_in_planning_replaces_the_intent_and_keeps_it_when_none_is_given(self) -> None:
        machine = planning("the report")
        machine.plan()
        assert machine.state.phase == Planning("the report")
        machine.plan("the budget")
        assert machine.state.phase == Planning("the budget")

    def test_from_review_closes_the_review_without_a_note(self) -> None:
        machine = running()
        machine.complete()
        session = machine.session
        machine.plan()

        assert said(machine) == SessionReviewed(session_id=session.session_id, outcome="", note="")
        assert machine.state.phase == Planning("")

    @pytest.mark.parametrize("intent", ["", "  ", "x" * 513, "a\nb"])
    def test_refuses_an_intent_that_is_no_good(self, intent: str) -> None:
        assert Machine().refused(EnterPlanning(intent)) == "invalid_value"


class TestStart:
    def test_begins_a_session_with_what_is_given(self) -> None:
        machine = Machine()
        machine.feed(
            StartSession(
                session_id="s",
                next_action=" write ",
                success_condition=" two pages ",
                timebox_secs=60,
                allowed_window_classes=("code", "Code", "gimp"),
                allowed_window_titles=("report",),
            )
        )

        session = machine.session
        assert session.commitment == Commitment("write", "two pages", 60)
        assert session.ends - session.started == 60
        assert machine.allowed == [("class", "code"), ("class", "gimp"), ("title", "report")]

    def test_has_defaults_for_the_rest(self) -> None:
        machine = Machine()
        machine.feed(StartSession(session_id="s", next_action="write"))

        assert machine.session.commitment == Commitment("write", "", 1500)
        assert machine.allowed == []

    def test_takes_the_intent_for_the_next_action(self) -> None:
        machine = planning("the report")
        machine.start(next_action=None)

        assert machine.session.commitment.next_action == "the report"
        assert machine.session.intent == "the report"

    def test_keeps_the_intent_beside_another_next_action(self) -> None:
        machine = planning("the report")
        machine.start(next_action="its outline")

        assert machine.session.commitment.next_action == "its outline"
        assert machine.session.intent == "the report"

    def test_of_an_empty_plan_needs_a_next_action(self) -> None:
        assert planning().refused(StartSession(session_id="s")) == "invalid_value"

    def test_from_review_closes_the_review(self) -> None:
        machine = running()
        machine.complete()
        machine.start()

        assert said(machine).session_id == "session 1"
        assert machine.session.session_id == "session 2"

    @pytest.mark.parametrize(
        "command",
        [
            StartSession(session_id="s", next_action=""),
            StartSession(session_id="s", next_action=" \t"),
            StartSession(session_id="s", next_action="x" * 513),
            StartSession(session_id="s", next_action="a\x1bb"),
            StartSession(session_id="s", next_action="a", success_condition="x" * 513),
            StartSession(session_id="s", next_action="a", timebox_secs=0),
            StartSession(session_id="s", next_action="a", timebox_secs=-60),
            StartSession(session_id="s", next_action="a", timebox_secs=86_401),
            StartSession(session_id="s", next_action="a", allowed_window_classes=("",)),
            StartSession(session_id="s", next_action="a", allowed_window_titles=("a", " ")),
        ],
    )
    def test_refuses_a_value_that_is_no_good(self, command: StartSession) -> None:
        assert planning("the report").refused(command) == "invalid_value"

    @pytest.mark.parametrize("secs", [1, 86_400])
    def test_takes_a_timebox_of_a_second_to_a_day(self, secs: int) -> None:
        machine = Machine()
        machine.start(timebox_secs=secs)

        assert machine.session.ends - machine.session.started == secs


class TestExtend:
    def test_adds_to_the_end_and_leaves_the_plan(self) -> None:
        machine = running()
        machine.wait(600)
        machine.extend(300)

        assert machine.session.ends - machine.session.started == 1800
        assert machine.session.commitment.timebox_secs == 1500

    def test_in_overtime_counts_from_now(self) -> None:
        machine = running()
        machine.wait(2000)
        machine.extend(300)

        assert machine.session.ends == machine.time.boot + 300

    @pytest.mark.parametrize("secs", [0, -1, 86_401])
    def test_refuses_what_is_no_second_to_a_day(self, secs: int) -> None:
        assert running().refused(ExtendSession(secs)) == "invalid_value"

    @pytest.mark.parametrize("secs", [1, 86_400])
    def test_takes_a_second_to_a_day(self, secs: int) -> None:
        machine = running()
        machine.extend(secs)

        assert machine.session.ends - machine.session.started == 1500 + secs

    def test_refuses_what_leads_to_no_date(self) -> None:
        machine = running()
        for _ in range(3_649):
            machine.extend(86_400)

        assert machine.refused(ExtendSession(86_400)) == "invalid_value"


class TestCompleteAndReview:
    def test_complete_leaves_the_session_for_review(self) -> None:
        machine = running()
        machine.wait(100)
        machine.complete()

        assert isinstance(machine.state.phase, Review)
        assert machine.state.phase.ended - machine.session.started == 100
        machine.wait(100)
        assert machine.length_secs == 100

    @pytest.mark.parametrize("outcome", ["done", "partial", "dropped", None])
    def test_review_keeps_the_outcome_and_the_note(self, outcome: Outcome | None) -> None:
        machine = running()
        machine.complete()
        session = machine.session
        machine.review(outcome, " went well ")

        assert machine.state.phase == Idle()
        assert said(machine) == SessionReviewed(
            session_id=session.session_id, outcome=outcome or "", note="went well"
        )

    @pytest.mark.parametrize("note", ["é" * 2049, "a\nb", "a\x00b"])
    def test_review_refuses_a_note_that_is_no_good(self, note: str) -> None:
        machine = running()
        machine.complete()

        assert machine.refused(CloseReview(note=note)) == "invalid_value"


class TestAnswersWithNames:
    @pytest.mark.parametrize(
        "command",
        [
            AllowContext(window_class=""),
            AllowContext(window_title="  "),
            AllowContext(window_class="code", window_title=""),
            AllowContext(window_class="a\nb"),
            DisallowContext(window_class=""),
            DisallowContext(window_title="a\x1bb"),
        ],
    )
    def test_refuse_a_name_that_is_no_good(self, command: AllowContext | DisallowContext) -> None:
        assert running("code").refused(command) == "invalid_value"


class TestDisplay:
    @pytest.mark.parametrize("name", [":0", ":0.0", ":17", ":1.2"])
    def test_local_is_handed_to_a_sensor_without_one_and_remembered(self, name: str) -> None:
        machine = Machine()
        machine.lose_sensor()
        display = Display(name, "a cookie file", "x11")

        assert UseDisplay(display) in machine.feed(OfferDisplay(display))
        assert machine.state.display == display
        machine.restart()
        assert machine.state.display == display

    @pytest.mark.parametrize(
        "name",
        ["", ":", "0", "host:0", "localhost:10.0", ":0.0.0", ":0.", ":-1", ":²", ":0 ", "/tmp:0"],
    )
    def test_elsewhere_is_ignored(self, name: str) -> None:
        machine = Machine()
        machine.lose_sensor()
        before = machine.state

        assert machine.feed(OfferDisplay(Display(name))) == ()
        assert machine.state is before

    def test_is_ignored_by_a_sensor_that_needs_none(self) -> None:
        machine = Machine()
        before = machine.state
        assert not SENSOR_OK.takes_display

        assert machine.feed(OfferDisplay(Display(":0"))) == ()
        assert machine.state is before

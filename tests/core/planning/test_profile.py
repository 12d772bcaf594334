"""The profile: when it is read, which reading counts, and that only the coach gets it."""

from dataclasses import replace

import pytest

from antidriftd.core.effects import AskJudge, AskNudger, FetchTaskList, LoadProfile
from antidriftd.core.events import (
    CancelPlanning,
    Event,
    ProfileFailed,
    ProfileLoaded,
    RequestCoach,
    SelectProfile,
    StartSession,
)
from antidriftd.core.model import Profile
from antidriftd.core.planning_state import Grounding
from antidriftd.core.surface import surface
from tests.builders import RULES, WITH_HELP, Machine
from tests.core.planning.planner import Planner, planning

CANARY = "I breed canaries"


class TestLoading:
    def test_begins_on_entering_planning(self) -> None:
        machine = planning()

        assert machine.under_way.only(LoadProfile).path == ""
        assert machine.state.grounding.status == "pending"

    def test_finds_a_text(self) -> None:
        machine = planning()
        machine.load(CANARY)

        assert machine.state.grounding == Grounding(
            "ready", path="/home/me/profile.md", text=CANARY
        )

    def test_finds_none_and_says_where_it_looked(self) -> None:
        machine = planning()
        machine.load("")

        assert machine.state.grounding == Grounding("absent", path="/home/me/profile.md")

    def test_that_fails_says_where(self) -> None:
        machine = planning()
        request = machine.under_way.only(LoadProfile).request
        machine.feed(ProfileFailed(request, "/home/me/profile.md"))

        assert machine.state.grounding == Grounding("error", path="/home/me/profile.md")

    def test_is_done_once_however_often_the_intent_changes(self) -> None:
        machine = planning()
        machine.load(CANARY)
        machine.plan("the budget")
        machine.coach("the taxes")

        assert machine.state.grounding.text == CANARY
        assert len([effect for effect in machine.effects if isinstance(effect, LoadProfile)]) == 1

    def test_is_done_anew_in_the_next_planning(self) -> None:
        machine = planning()
        machine.load(CANARY)
        machine.feed(CancelPlanning())
        assert machine.state.grounding == Grounding()
        machine.plan()

        assert machine.state.grounding.status == "pending"
        assert machine.state.grounding.text == ""

    def test_never_begins_where_there_is_no_source(self) -> None:
        machine = planning(rules=RULES)

        assert machine.refused(SelectProfile("/other.md")) == "unavailable"
        assert machine.state.grounding == Grounding()
        assert machine.under_way.all_of(LoadProfile) == []


class TestALateAnswer:
    @pytest.mark.parametrize(
        "leave", [CancelPlanning(), StartSession(session_id="s", next_action="read")]
    )
    def test_after_planning_is_dropped(self, leave: CancelPlanning | StartSession) -> None:
        machine = planning()
        request = machine.under_way.only(LoadProfile).request
        machine.feed(leave)
        before = machine.state
        machine.feed(ProfileLoaded(request, Profile(CANARY, "/p")))
        machine.feed(ProfileFailed(request, "/p"))

        assert request in machine.ended
        assert machine.state == before

    def test_of_an_earlier_planning_is_dropped_in_the_next(self) -> None:
        machine = planning()
        request = machine.under_way.only(LoadProfile).request
        machine.feed(CancelPlanning())
        machine.plan()
        machine.feed(ProfileLoaded(request, Profile(CANARY, "/p")))

        assert machine.state.grounding.status == "pending"

    def test_about_the_path_before_is_dropped(self) -> None:
        machine = planning()
        old = machine.under_way.only(LoadProfile).request
        machine.select("/other.md")
        machine.feed(ProfileLoaded(old, Profile(CANARY, "/p")))
        assert machine.ended == [old]
        assert machine.state.grounding.status == "pending"
        machine.load("the other", "/other.md")

        assert machine.state.grounding.text == "the other"


class TestSelecting:
    def test_in_planning_reads_at_once(self) -> None:
        machine = planning()
        machine.load(CANARY)
        machine.select("~/notes/me.md")

        assert machine.under_way.only(LoadProfile).path == "~/notes/me.md"
        assert machine.state.grounding == Grounding(
            "pending", machine.under_way.only(LoadProfile).request, path="~/notes/me.md"
        )

    @pytest.mark.parametrize("phase", ["idle", "active", "review"])
    def test_elsewhere_holds_for_the_next_planning(self, phase: str) -> None:
        machine = Planner()
        if phase != "idle":
            machine.start()
        if phase == "review":
            machine.complete()
        machine.select("/other.md")
        assert machine.under_way.all_of(LoadProfile) == []
        if phase == "active":
            machine.complete()
        machine.plan()

        assert machine.under_way.only(LoadProfile).path == "/other.md"

    def test_an_empty_path_is_the_default_again(self) -> None:
        machine = planning()
        machine.select("/other.md")
        machine.select("")

        assert machine.under_way.only(LoadProfile).path == ""

    def test_holds_for_the_run_only(self) -> None:
        machine = planning()
        machine.select("/other.md")
        machine.feed(CancelPlanning())
        machine.plan()
        assert machine.under_way.only(LoadProfile).path == "/other.md"
        machine.restart()

        assert machine.under_way.only(LoadProfile).path == ""

    @pytest.mark.parametrize(
        "path", ["notes.md", "./a", " ", "~", "~root/a", "/a\0b", "/a\nb", "/" + "a" * 4096]
    )
    def test_refuses_a_path_that_means_nothing_or_something_else_to_others(self, path: str) -> None:
        machine = planning()
        machine.select("/good.md")

        assert machine.refused(SelectProfile(path)) == "invalid_value"
        assert machine.state.profile_path == "/good.md"


class TestGrounding:
    def test_is_the_text_that_was_loaded(self) -> None:
        machine = planning()
        machine.load(CANARY)
        machine.coach()
        machine.coach("the budget")

        assert machine.groundings == [CANARY, CANARY]

    def test_is_empty_while_the_profile_is_being_read(self) -> None:
        machine = planning()
        asked = machine.coach()
        machine.load(CANARY)

        assert machine.groundings == [""]
        assert machine.under_way.only(type(asked)) == asked

    def test_is_waited_for_when_coach_enters_planning(self) -> None:
        """Otherwise `antidrift coach INTENT` would never be grounded."""
        machine = Planner()
        machine.feed(RequestCoach("the report"))
        assert machine.groundings == []
        assert machine.coaching.status == "pending"
        machine.load(CANARY)

        assert machine.groundings == [CANARY]

    def test_is_not_waited_for_when_the_profile_cannot_be_read(self) -> None:
        machine = Planner()
        machine.feed(RequestCoach("the report"))
        request = machine.under_way.only(LoadProfile).request
        machine.feed(ProfileFailed(request, "/home/me/profile.md"))

        assert machine.groundings == [""]

    def test_is_empty_without_a_profile(self) -> None:
        machine = planning()
        machine.load("")
        machine.coach()

        assert machine.groundings == [""]

    def test_is_empty_when_the_profile_is_unreadable(self) -> None:
        machine = planning()
        machine.load(CANARY)
        machine.select("/other.md")
        machine.feed(ProfileFailed(machine.under_way.only(LoadProfile).request, "/other.md"))
        machine.coach()

        assert machine.groundings == [""]

    def test_is_empty_without_a_source(self) -> None:
        machine = planning(rules=replace(RULES, has_coach=True))
        machine.coach()

        assert machine.groundings == [""]


def test_the_text_is_nowhere_but_in_the_coachs_question() -> None:
    machine = planning()
    answer = ProfileLoaded(
        machine.under_way.only(LoadProfile).request, Profile(CANARY, "/profile.md")
    )
    machine.feed(answer)
    in_planning = machine.state
    machine.coach()
    machine.propose()
    saved = machine.saved()
    machine.start("code")
    machine.focus("steam")
    machine.wait(400)

    assert machine.groundings == [CANARY]
    seen: list[object] = [answer, in_planning, surface(in_planning), saved, machine.state]
    seen += machine.effects  # a log line or a traceback may hold any of them
    for value in seen:
        assert CANARY not in repr(value)
    others = [effect for effect in machine.effects if isinstance(effect, AskJudge | AskNudger)]
    assert others != []


def test_another_text_of_another_length_is_news_and_the_same_is_none() -> None:
    def after(text: str) -> Machine:
        machine = planning()
        machine.load(text)
        return machine

    assert surface(after("abc").state) != surface(after("abcd").state)
    assert surface(after("abc").state) == surface(after("xyz").state)


@pytest.mark.parametrize("answer", ["loaded", "failed"])
def test_an_answer_with_anothers_id_changes_nothing(answer: str) -> None:
    machine = planning(rules=WITH_HELP)
    coach = machine.coach()
    tasks = machine.under_way.only(FetchTaskList)
    before = machine.state
    for request in (coach.request, tasks.request, 0, 99):
        event: Event = ProfileFailed(request, "/p")
        if answer == "loaded":
            event = ProfileLoaded(request, Profile(CANARY, "/p"))
        machine.feed(event)

    assert machine.state == before

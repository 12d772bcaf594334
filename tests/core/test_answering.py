"""What `ontask`, `disallow` and `refocus` change."""

import pytest

from antidriftd.core.drift.page_key import Key
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.events import DisallowContext
from tests.builders import FREE_JUDGE, RULES, Machine
from tests.core.running import running


def drifting(window_class: str = "steam", title: str = "a game") -> Machine:
    machine = running("code")
    machine.drift_on(window_class, title)
    return machine


class TestOnTask:
    def test_allows_the_class_and_no_judge_is_asked_again(self) -> None:
        machine = drifting()
        machine.on_task()
        assert machine.allowed == [("class", "code"), ("class", "steam")]
        assert (machine.status(), machine.drift.open) == ("ontask", None)
        machine.focus("gimp")
        machine.focus("steam", "another game")
        machine.wait(600)

        assert machine.status() == "ontask"
        assert len(machine.asked) == 1

    def test_allows_only_the_page_of_a_many_faced_program(self) -> None:
        machine = drifting("firefox", "(3) Report — Mozilla Firefox")
        machine.on_task()
        assert machine.allowed[1:] == [("title", "=report")]
        assert machine.status() == "ontask"
        machine.focus("firefox", "Report: cats — Mozilla Firefox")
        assert machine.status() == "idle"
        machine.focus("firefox", "(4) Report — Mozilla Firefox")

        assert machine.status() == "ontask"

    def test_allows_the_title_of_a_window_without_a_class(self) -> None:
        machine = drifting("", " A Game ")
        machine.on_task()

        assert machine.allowed[1:] == [("title", "A Game")]
        assert machine.status() == "ontask"

    def test_persists(self) -> None:
        machine = drifting()
        machine.on_task()
        machine.restart()
        machine.focus("steam")

        assert machine.status() == "ontask"

    def test_drops_the_cached_verdicts_that_it_covers_and_only_those(self) -> None:
        machine = drifting()
        machine.drift_on("firefox", "cats")
        machine.drift_on("", "a small game")
        machine.on_task(window_class="STEAM")
        assert Key("steam") not in machine.drift.cache
        machine.on_task(window_title="=cats")
        assert Key("firefox", "cats") not in machine.drift.cache
        assert set(machine.drift.cache) == {Key("a small game")}
        machine.on_task(window_title="Small")

        assert machine.drift.cache == {}

    def test_voids_a_question_that_it_covers(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        question = machine.question
        assert question is not None
        machine.on_task(window_class="steam")

        assert machine.ended == [question.id]
        assert machine.status() == "ontask"

    def test_leaves_a_question_that_it_does_not_cover(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.on_task(window_class="gimp")

        assert machine.ended == []
        assert machine.status() == "pending"

    def test_has_the_rules_run_on_the_window_in_front(self) -> None:
        machine = drifting()
        machine.focus("mpv", "a film")
        machine.wait(5)
        machine.on_task(window_title="film")

        assert machine.status() == "ontask"

    def test_ends_the_question_and_asks_about_the_window_in_front(self) -> None:
        machine = Machine(FREE_JUDGE)
        machine.start()
        machine.focus("steam")
        machine.wait(2)
        machine.focus("mpv")
        machine.wait(5)
        machine.on_task()

        assert machine.ended == [1]
        assert [window.window_class for window in machine.asked] == ["steam", "mpv"]

    def test_again_allows_nothing_twice(self) -> None:
        machine = running("code")
        machine.on_task(window_class="CODE")

        assert machine.allowed == [("class", "code")]


class TestOnTaskByName:
    def test_names_a_class_or_a_title_or_both(self) -> None:
        machine = running()
        machine.on_task(window_class=" gimp ", window_title="Report")

        assert machine.allowed == [("class", "gimp"), ("title", "Report")]

    def test_leaves_an_open_drift_that_it_does_not_allow(self) -> None:
        machine = drifting()
        machine.on_task(window_class="gimp")

        assert machine.open_title == "a game"
        assert machine.status() == "drifting"

    @pytest.mark.parametrize("name", ["class", "title"])
    def test_ends_an_open_drift_that_it_allows(self, name: str) -> None:
        machine = drifting()
        machine.focus("gimp")
        if name == "class":
            machine.on_task(window_class="Steam")
        else:
            machine.on_task(window_title="GAME")

        assert machine.drift.open is None

    def test_takes_a_whole_browser_with_a_warning(self) -> None:
        machine = running()
        machine.on_task(window_class="Firefox")
        assert any("Firefox is a browser" in notice.text for notice in machine.state.notices)
        machine.focus("firefox", "cats")

        assert machine.status() == "ontask"


class TestDisallow:
    def test_bare_takes_the_last_allowance_back(self) -> None:
        machine = running("code", titles=("report",))
        machine.disallow()
        assert machine.allowed == [("class", "code")]
        machine.disallow()
        assert machine.allowed == []

        assert machine.refused(DisallowContext()) == "invalid_value"
        with pytest.raises(TransitionRefused, match="nothing is allowed"):
            machine.disallow()

    def test_by_name_takes_that_one_back(self) -> None:
        machine = running("code", "gimp", titles=("code", "report"))
        machine.disallow(window_class="CODE")
        assert machine.allowed == [("class", "gimp"), ("title", "code"), ("title", "report")]
        machine.disallow(window_class="gimp", window_title="Report")

        assert machine.allowed == [("title", "code")]

    @pytest.mark.parametrize(
        "command",
        [
            DisallowContext(window_class="gimp"),
            DisallowContext(window_title="code"),
            DisallowContext(window_class="code", window_title="report"),
        ],
    )
    def test_of_what_is_not_allowed_is_refused(self, command: DisallowContext) -> None:
        assert running("code").refused(command) == "invalid_value"

    def test_undoes_ontask(self) -> None:
        machine = drifting("firefox", "cats")
        machine.on_task()
        machine.disallow(window_title="=cats")

        assert machine.allowed == [("class", "code")]

    def test_has_the_window_in_front_judged(self) -> None:
        machine = running("gimp")
        machine.focus("gimp")
        machine.wait(30)
        machine.disallow()

        assert machine.status() == "pending"


class TestRefocus:
    def test_clears_the_drift_and_leaves_the_allowed_context(self) -> None:
        machine = drifting()
        machine.refocus()

        assert (machine.status(), machine.drift.open) == ("idle", None)
        assert machine.allowed == [("class", "code")]
        assert machine.drift.cache == {}

    def test_in_front_after_30_s_it_is_judged_anew(self) -> None:
        machine = drifting()
        machine.refocus()
        machine.wait(29.9)
        assert (machine.status(), len(machine.asked)) == ("idle", 1)
        machine.wait(0.1)
        assert (machine.status(), len(machine.asked)) == ("pending", 2)
        machine.answer(False)

        assert machine.status() == "drifting"
        assert machine.open_title == "a game"

    def test_holds_for_its_own_key_only(self) -> None:
        machine = drifting()
        machine.refocus()
        machine.focus("mpv")
        machine.wait(10)

        assert len(machine.asked) == 2

    def test_from_another_window_is_about_the_open_drift(self) -> None:
        machine = drifting()
        machine.focus("kitty", "~")
        machine.refocus()
        machine.focus("steam", "a game")
        machine.wait(25)
        assert (machine.status(), len(machine.asked)) == ("idle", 1)
        machine.wait(5)

        assert len(machine.asked) == 2

    def test_voids_the_question_it_is_about(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.refocus()
        assert machine.ended == [1]
        assert machine.status() == "idle"
        machine.wait(29.9)
        assert len(machine.asked) == 1
        machine.wait(0.1)

        assert len(machine.asked) == 2

    def test_leaves_a_question_about_something_else(self) -> None:
        machine = drifting()
        machine.focus("mpv")
        machine.wait(10)
        machine.refocus()

        assert machine.ended == []
        assert machine.status() == "pending"

    def test_forgets_a_good_verdict_on_the_last_window_too(self) -> None:
        machine = running()
        machine.focus("evince", "report.pdf")
        machine.wait(2)
        machine.answer(True)
        machine.refocus()

        assert machine.status() == "idle"
        machine.wait(30)
        assert len(machine.asked) == 2

    def test_of_one_page_leaves_the_verdict_on_another(self) -> None:
        machine = running()
        machine.drift_on("firefox", "cats")
        machine.drift_on("firefox", "dogs")
        machine.refocus()
        machine.focus("firefox", "cats")
        machine.wait(RULES.dwell_secs)

        assert machine.status() == "drifting"
        assert machine.open_title == "cats"

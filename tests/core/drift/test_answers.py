"""What someone who answers is talking about, in the four cases."""

import pytest

from antidriftd.core.events import AllowContext
from tests.builders import NO_JUDGE, Machine
from tests.core.running import running


def answered_about(machine: Machine) -> list[tuple[str, str]]:
    """Answer, and return what became allowed by it."""
    before = machine.allowed
    machine.on_task()
    return machine.allowed[len(before) :]


class TestTheOpenDrift:
    def test_comes_first_whatever_is_in_front(self) -> None:
        machine = running("code")
        machine.drift_on("steam")
        machine.focus("kitty", "~")

        assert answered_about(machine) == [("class", "steam")]

    def test_comes_before_a_question_under_way(self) -> None:
        machine = running("code")
        machine.drift_on("steam")
        machine.focus("mpv")
        machine.wait(10)
        assert machine.question is not None

        assert answered_about(machine) == [("class", "steam")]
        assert machine.question is not None

    def test_is_the_subject_however_long_ago_it_was(self) -> None:
        machine = running("code")
        machine.drift_on("steam")
        machine.focus("rofi")
        machine.wait(3000)

        assert answered_about(machine) == [("class", "steam")]


class TestTheQuestionUnderWay:
    def test_comes_second(self) -> None:
        machine = running("code")
        machine.focus("gimp")
        machine.wait(2)
        machine.answer(True)
        machine.focus("steam")
        machine.wait(10)
        machine.focus("kitty", "~")

        assert answered_about(machine) == [("class", "steam")]

    def test_may_be_about_a_terminal(self) -> None:
        machine = running("code")
        machine.focus("kitty", "nethack")
        machine.wait(60)
        assert machine.question is not None

        assert answered_about(machine) == [("title", "=nethack")]


class TestTheLastWindowThatStayed:
    @staticmethod
    def seen(*windows: tuple[str, str, float]) -> Machine:
        """Return a session without a judge in which these windows were in front for so long."""
        machine = Machine(NO_JUDGE)
        machine.start("code", titles=("report",))
        for window_class, title, secs in windows:
            machine.focus(window_class, title)
            machine.wait(secs)
        return machine

    def test_comes_third(self) -> None:
        machine = self.seen(("gimp", "", 5), ("mpv", "", 5), ("kitty", "~", 5))

        assert answered_about(machine) == [("class", "mpv")]

    def test_may_be_in_front(self) -> None:
        machine = self.seen(("gimp", "", 5), ("mpv", "", 2))

        assert answered_about(machine) == [("class", "mpv")]

    def test_is_not_one_that_left_within_the_dwell(self) -> None:
        machine = self.seen(("gimp", "", 5), ("mpv", "", 1.9), ("kitty", "~", 5))

        assert answered_about(machine) == [("class", "gimp")]

    def test_is_not_one_that_has_only_just_come(self) -> None:
        machine = self.seen(("gimp", "", 5), ("mpv", "", 1.9))

        assert answered_about(machine) == [("class", "gimp")]

    @pytest.mark.parametrize(
        "passed_over",
        [
            ("kitty", "vim"),
            ("rofi", "run"),
            ("firefox", "Mozilla Firefox"),
            ("", ""),
            ("code", ""),
            ("libreoffice", "the report"),
        ],
    )
    def test_is_neither_a_terminal_nor_neutral_nor_allowed(
        self, passed_over: tuple[str, str]
    ) -> None:
        machine = self.seen(("gimp", "", 5), (*passed_over, 5), ("kitty", "~", 5))

        assert answered_about(machine) == [("class", "gimp")]

    def test_is_not_one_that_was_allowed_since(self) -> None:
        machine = self.seen(("gimp", "", 5), ("mpv", "", 5), ("kitty", "~", 5))
        machine.on_task(window_class="mpv")

        assert answered_about(machine) == [("class", "gimp")]

    def test_is_no_older_than_ten_minutes(self) -> None:
        for secs, expected in [(599.0, [("class", "gimp")]), (600.5, None)]:
            machine = self.seen(("gimp", "", 5), ("kitty", "~", secs))
            if expected:
                assert answered_about(machine) == expected
            else:
                assert machine.refused(AllowContext()) == "invalid_value"

    def test_is_of_this_session(self) -> None:
        machine = self.seen(("gimp", "", 5))
        machine.complete()
        machine.focus("kitty", "~")
        machine.start()
        machine.wait(5)

        assert machine.refused(AllowContext()) == "invalid_value"

    def test_is_told_by_the_title_it_had_when_it_left(self) -> None:
        machine = self.seen(("", "Game: menu", 5))
        machine.focus("", "Game: level 1")
        machine.wait(5)
        machine.focus("kitty", "~")

        assert answered_about(machine) == [("title", "Game: level 1")]

    def test_is_remembered_across_many_others(self) -> None:
        glances = [(f"glance {number}", "", 0.5) for number in range(100)]
        machine = self.seen(("gimp", "", 5), *glances, ("kitty", "~", 5))

        assert answered_about(machine) == [("class", "gimp")]

    def test_is_remembered_across_many_that_are_allowed(self) -> None:
        pages = [("code", "", 2.0), ("libreoffice", "report", 2.0)] * 50
        machine = self.seen(("gimp", "", 5), *pages, ("kitty", "~", 5))

        assert answered_about(machine) == [("class", "gimp")]

    def test_is_remembered_across_many_pages_that_are_allowed(self) -> None:
        pages = [("firefox", f"report {page}.", 2.0) for page in range(250)]
        machine = self.seen(("gimp", "", 5), *pages, ("kitty", "~", 5))

        assert answered_about(machine) == [("class", "gimp")]

    def test_may_be_one_that_was_allowed_when_it_left(self) -> None:
        machine = self.seen(("gimp", "", 5), ("code", "", 5), ("kitty", "~", 5))
        machine.disallow(window_class="code")

        assert answered_about(machine) == [("class", "code")]


class TestNothing:
    def test_is_refused_with_what_to_do(self) -> None:
        assert running("code").refused(AllowContext()) == "invalid_value"

    def test_lets_refocus_succeed_with_nothing_to_do(self) -> None:
        machine = running("code")
        before = machine.state
        machine.refocus()

        assert machine.state is before
        assert machine.effects[-1:] != []

"""Notices come, are replaced, and go with what they are about."""

import pytest

from antidriftd.core.model import Moment
from antidriftd.core.notices import MAX_NOTICES, notify, withdraw
from antidriftd.core.restore import restore
from antidriftd.core.state import Notice
from tests.builders import BOOT_ID, RULES, SENSOR_OK, Machine, a_state

NOW = Moment(0, 0, 0)


def texts(machine: Machine) -> list[str]:
    return [notice.text for notice in machine.state.notices]


def failing_judge() -> Machine:
    machine = Machine()
    machine.start()
    machine.focus("steam")
    machine.wait(2)
    machine.fail("out of money")
    return machine


class TestAConditionsNotice:
    def test_goes_when_the_judge_answers_again(self) -> None:
        machine = failing_judge()
        assert texts(machine) == ["the advisor gave no verdict: out of money"]
        machine.wait(60)
        machine.answer(None)

        assert texts(machine) == []

    def test_is_replaced_by_the_next_on_its_topic(self) -> None:
        machine = failing_judge()
        machine.wait(60)
        machine.fail("out of patience")

        assert texts(machine) == ["the advisor gave no verdict: out of patience"]

    def test_says_how_long_a_judge_that_fails_again_and_again_is_left_alone(self) -> None:
        machine = failing_judge()
        machine.wait(60)
        machine.fail("out of money")
        machine.wait(60)
        machine.fail("out of money")

        (text,) = texts(machine)
        assert text == "the advisor gave no verdict: out of money; it is asked again after 60 s"

    def test_about_the_judge_goes_with_the_session(self) -> None:
        machine = failing_judge()
        machine.complete()

        assert texts(machine) == []

    def test_about_the_disk_stays_over_a_start(self) -> None:
        machine = Machine()
        machine.disk = "full"
        machine.plan()
        machine.disk = "slow"
        machine.start()

        assert len(texts(machine)) == 1


class TestAnEventsNotice:
    @staticmethod
    def after_a_bad_snapshot() -> Machine:
        machine = Machine()
        machine.state = restore(
            None,
            rules=RULES,
            sensor=SENSOR_OK,
            boot_id=BOOT_ID,
            now=machine.time.now(),
            notices=[Notice("snapshot", "set aside", is_event=True)],
        )
        return machine

    def test_is_there_until_a_command_has_told_it_and_a_session_starts(self) -> None:
        machine = self.after_a_bad_snapshot()
        machine.plan()
        assert texts(machine) == ["set aside"]
        machine.start()

        assert texts(machine) == []

    def test_is_told_by_the_start_itself_and_goes_at_the_next(self) -> None:
        machine = self.after_a_bad_snapshot()
        machine.start()
        assert texts(machine) == ["set aside"]
        machine.complete()
        assert texts(machine) == ["set aside"]
        machine.start()

        assert texts(machine) == []


class TestAnAllowedBrowser:
    @pytest.mark.parametrize("browser", ["firefox", "Chromium"])
    def test_is_warned_of_until_the_session_ends(self, browser: str) -> None:
        machine = Machine()
        machine.start("code", browser)
        (text,) = texts(machine)
        assert f"{browser} is a browser" in text
        machine.complete()

        assert texts(machine) == []

    @pytest.mark.parametrize("browser", ["firefox", "FIREFOX"])
    def test_is_warned_of_until_it_is_taken_back(self, browser: str) -> None:
        machine = Machine()
        machine.start("firefox", "chromium", "code")
        machine.disallow()
        assert len(texts(machine)) == 2
        machine.disallow(window_class=browser)
        (text,) = texts(machine)
        assert "chromium is a browser" in text
        machine.disallow()

        assert texts(machine) == []


def test_a_title_that_names_a_browser_is_no_browser() -> None:
    machine = Machine()
    machine.start(titles=("firefox",))

    assert texts(machine) == []


def test_the_same_notice_again_changes_nothing() -> None:
    state = notify(a_state(now=NOW), "topic", "text")

    assert notify(state, "topic", "text") is state
    assert withdraw(state, "another topic") is state


def test_at_most_20_are_kept_and_the_newest_of_them() -> None:
    state = a_state(now=NOW)
    for number in range(MAX_NOTICES + 5):
        state = notify(state, f"topic {number}", f"text {number}")

    assert len(state.notices) == MAX_NOTICES == 20
    assert state.notices[-1].text == f"text {MAX_NOTICES + 4}"

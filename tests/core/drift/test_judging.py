"""When the judge is asked, and that whatever held a question back lets it go by itself."""

from dataclasses import replace
from itertools import pairwise

from tests.builders import FREE_JUDGE, RULES, Machine
from tests.core.running import running


def titles(machine: Machine) -> list[str]:
    return [window.title or window.window_class for window in machine.asked]


class TestDwell:
    def test_a_key_is_judged_once_it_has_stayed(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(1.9)
        assert machine.asked == []
        machine.wait(0.1)

        assert titles(machine) == ["steam"]

    def test_a_key_that_left_in_time_is_not_judged(self) -> None:
        machine = running()
        for window_class in ("steam", "mpv", "vlc"):
            machine.focus(window_class)
            machine.wait(1.5)

        assert machine.asked == []

    def test_follows_the_key_and_not_the_title(self) -> None:
        machine = running()
        machine.focus("steam", "a")
        machine.wait(1.5)
        machine.focus("steam", "b")
        machine.wait(0.5)

        assert titles(machine) == ["b"]

    def test_follows_the_page_of_a_many_faced_program(self) -> None:
        machine = running()
        machine.focus("firefox", "a")
        machine.wait(1.5)
        machine.focus("firefox", "b")
        machine.wait(1.5)
        assert machine.asked == []
        machine.wait(0.5)

        assert titles(machine) == ["b"]

    def test_begins_with_the_session_for_the_window_that_is_there(self) -> None:
        machine = Machine()
        machine.focus("steam")
        machine.wait(100)
        machine.start()
        machine.wait(1.9)
        assert machine.asked == []
        machine.wait(0.1)

        assert titles(machine) == ["steam"]

    def test_does_not_run_while_the_machine_sleeps(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(1)
        machine.suspend(600)
        assert machine.asked == []
        machine.wait(1)

        assert titles(machine) == ["steam"]


class TestRestless:
    def test_a_program_whose_pages_never_stay_is_judged_all_the_same(self) -> None:
        machine = running()
        for page in range(40):
            machine.focus("firefox", f"feed {page}.")
            machine.wait(0.5)

        assert titles(machine) == ["feed 29."]

    def test_it_is_judged_again_after_as_long(self) -> None:
        machine = running()
        machine.focus("firefox", "feed 0.")
        for page in range(1, 100):
            machine.wait(0.5)
            if machine.question:
                machine.answer(True)
            machine.focus("firefox", f"feed {page}.")

        assert len(machine.asked) == 3

    def test_a_known_bad_page_among_them_is_a_drift(self) -> None:
        machine = running("gimp")
        machine.drift_on("firefox", "bad")
        machine.focus("gimp")
        for _ in range(15):
            machine.focus("firefox", "other")
            machine.wait(0.5)
            assert machine.status() == "idle"
            machine.focus("firefox", "bad")
            machine.wait(0.5)

        assert machine.status() == "drifting"

    def test_pages_that_stay_now_and_then_are_left_to_the_dwell(self) -> None:
        machine = running()
        machine.focus("firefox", "good")
        machine.wait(2)
        machine.answer(True)
        for page in range(60):
            machine.focus("firefox", f"page {page}.")
            machine.wait(0.9)
            if page % 10 == 0:
                machine.focus("firefox", "good")
                machine.wait(3)

        assert titles(machine) == ["good"]

    def test_a_program_of_one_face_waits_for_a_dwell_of_any_length(self) -> None:
        machine = running(rules=replace(RULES, dwell_secs=20.0))
        machine.focus("steam")
        machine.wait(19.9)
        assert machine.asked == []
        machine.wait(0.1)

        assert titles(machine) == ["steam"]

    def test_a_program_of_one_face_is_left_to_the_dwell(self) -> None:
        machine = running()
        for turn in range(60):
            machine.focus("steam" if turn % 2 else "mpv")
            machine.wait(1)

        assert machine.asked == []


class TestDebounce:
    def test_at_most_one_judgment_begins_in_ten_seconds(self) -> None:
        machine = running()
        began: list[float] = []
        for window_class in "abcdefgh" * 3:
            machine.focus(window_class)
            for _ in range(7):
                machine.wait(0.5)
                if machine.question:
                    began.append(machine.time.mono)
                    machine.answer(True)

        gaps = [later - earlier for earlier, later in pairwise(began)]
        assert len(began) == 8
        assert min(gaps) >= 9.5

    def test_the_window_that_stays_is_judged_when_it_ends(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.answer(True)
        machine.focus("mpv")
        machine.wait(9.9)
        assert titles(machine) == ["steam"]
        machine.wait(0.1)

        assert titles(machine) == ["steam", "mpv"]

    def test_outlives_the_session(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.complete()
        machine.start()
        machine.wait(9.9)
        assert titles(machine) == ["steam"]
        machine.wait(0.1)

        assert titles(machine) == ["steam", "steam"]

    def test_holds_no_free_judge_back(self) -> None:
        machine = running(rules=FREE_JUDGE)
        for window_class in "abc":
            machine.focus(window_class)
            machine.wait(2)
            machine.answer(True)

        assert titles(machine) == ["a", "b", "c"]


class TestOneAtATime:
    def test_the_window_that_stays_is_judged_after_the_other_judgment(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.focus("mpv")
        machine.wait(25)
        assert titles(machine) == ["steam"]
        assert machine.status() == "idle"
        machine.answer(True)

        assert titles(machine) == ["steam", "mpv"]
        assert machine.status() == "pending"

    def test_it_is_judged_after_a_failure_of_the_other_judgment_too(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.focus("mpv")
        machine.wait(25)
        machine.fail()

        assert titles(machine) == ["steam", "mpv"]

    def test_back_at_the_window_in_question_it_is_pending_again(self) -> None:
        machine = running("gimp")
        machine.focus("steam")
        machine.wait(2)
        machine.focus("gimp")
        assert machine.status() == "ontask"
        machine.focus("steam")

        assert machine.status() == "pending"
        machine.wait(30)
        assert titles(machine) == ["steam"]

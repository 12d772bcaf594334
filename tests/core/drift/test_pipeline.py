"""Local match, nothing to judge, cache and dwell: what needs nobody to be asked, and then who."""

import pytest

from antidriftd.core.drift.page_key import Key
from antidriftd.core.rules import Rules
from tests.builders import FREE_JUDGE, NO_JUDGE
from tests.core.running import running


class TestLocalMatch:
    def test_is_on_task_at_once_and_nobody_is_asked(self) -> None:
        machine = running("gimp", titles=("report",))
        for window_class, title in [("Gimp", "cat.png"), ("libreoffice", "Annual Report")]:
            machine.focus(window_class, title)
            assert machine.status() == "ontask"
        machine.wait(600)

        assert machine.asked == []

    def test_clears_the_reason(self) -> None:
        machine = running()
        machine.drift_on("steam", reason="a game")
        assert machine.drift.reason == "a game"
        machine.on_task(window_class="steam")

        assert (machine.status(), machine.drift.reason) == ("ontask", "")

    def test_works_by_instance(self) -> None:
        machine = running("element-desktop")
        machine.focus("Element", "chat", "element-desktop")

        assert machine.status() == "ontask"

    def test_works_without_a_judge(self) -> None:
        machine = running("gimp", rules=NO_JUDGE)
        machine.focus("gimp")

        assert machine.status() == "ontask"

    def test_beats_a_cached_drift(self) -> None:
        machine = running(titles=("report",))
        machine.drift_on("libreoffice", "cats")
        machine.focus("libreoffice", "the report")

        assert machine.status() == "ontask"

    def test_holds_for_terminals_at_once(self) -> None:
        machine = running("kitty")
        machine.focus("kitty", "vim")

        assert machine.status() == "ontask"

    def test_that_ends_with_the_title_leaves_idle_and_then_a_judgment(self) -> None:
        machine = running(titles=("report",))
        machine.focus("libreoffice", "the report")
        machine.wait(60)
        machine.focus("libreoffice", "cats")

        assert machine.status() == "pending"

    def test_that_ends_with_the_title_is_idle_while_a_known_drift_waits_for_the_dwell(self) -> None:
        machine = running(titles=("report",))
        machine.drift_on("libreoffice", "cats")
        machine.focus("gimp")
        machine.focus("libreoffice", "the report")
        assert machine.status() == "ontask"
        machine.wait(1)
        machine.focus("libreoffice", "cats")

        assert machine.status() == "idle"
        machine.wait(1)
        assert machine.status() == "drifting"


class TestNothingToJudge:
    @pytest.mark.parametrize(
        ("window_class", "title"),
        [
            ("", ""),
            ("firefox", "Mozilla Firefox"),
            ("firefox", "New Tab — Mozilla Firefox"),
            ("rofi", "run"),
            ("kitty", "antidrift status"),
        ],
    )
    def test_is_idle_however_long_it_lasts(self, window_class: str, title: str) -> None:
        machine = running()
        machine.focus(window_class, title)
        machine.wait(600)

        assert machine.status() == "idle"
        assert machine.asked == []

    def test_no_window_is_idle(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.focus_nothing()
        machine.wait(600)

        assert machine.status() == "idle"
        assert len(machine.asked) == 1

    def test_without_a_judge_the_rest_is_idle_too(self) -> None:
        machine = running(rules=NO_JUDGE)
        machine.focus("steam", "a game")
        machine.wait(600)

        assert machine.status() == "idle"
        assert machine.asked == []


class TestVerdicts:
    @pytest.mark.parametrize(
        ("on_task", "status"), [(True, "ontask"), (False, "drifting"), (None, "idle")]
    )
    def test_an_unmatched_window_is_pending_and_then_what_the_judge_says(
        self, on_task: bool | None, status: str
    ) -> None:
        machine = running()
        machine.focus("steam", "a game")
        assert machine.status() == "idle"
        machine.wait(2)
        assert machine.status() == "pending"
        machine.answer(on_task, "because")

        assert machine.status() == status
        assert machine.drift.reason == ("because" if on_task is not None else "")

    def test_a_free_judge_answers_without_pending(self) -> None:
        machine = running(rules=FREE_JUDGE)
        machine.focus("steam", "a game")
        machine.wait(2)
        assert (machine.status(), len(machine.asked)) == ("idle", 1)
        machine.answer(False)

        assert machine.status() == "drifting"

    def test_a_change_of_key_is_idle_until_a_rule_speaks(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.focus("gimp", "cat.png")

        assert (machine.status(), machine.drift.reason) == ("idle", "")
        assert machine.drift.since == machine.time.boot

    def test_since_says_how_long_this_status_has_been_held_of_this_window(self) -> None:
        machine = running("gimp", "code")
        machine.focus("gimp")
        since = machine.time.boot
        machine.wait(10)
        machine.focus("gimp", "another picture")
        assert machine.drift.since == since
        machine.focus("steam")
        assert machine.drift.since == machine.time.boot
        machine.wait(1)
        machine.focus("mpv")
        assert machine.drift.since == machine.time.boot


class TestCache:
    def test_a_judged_class_is_not_judged_again(self) -> None:
        machine = running("gimp")
        machine.drift_on("steam", "a game")
        machine.focus("gimp")
        machine.wait(60)
        machine.focus("steam", "another game")
        machine.wait(60)

        assert machine.status() == "drifting"
        assert len(machine.asked) == 1

    def test_a_good_verdict_is_applied_at_once(self) -> None:
        machine = running("gimp")
        machine.focus("evince", "report.pdf")
        machine.wait(2)
        machine.answer(True, "the report")
        machine.focus("gimp")
        machine.focus("evince", "another.pdf")

        assert (machine.status(), machine.drift.reason) == ("ontask", "the report")

    def test_a_bad_verdict_is_applied_after_the_dwell(self) -> None:
        machine = running("gimp")
        machine.drift_on("steam")
        machine.focus("gimp")
        machine.focus("steam")
        machine.wait(1.9)
        assert machine.status() == "idle"
        machine.wait(0.1)

        assert machine.status() == "drifting"

    def test_one_page_neither_excuses_nor_condemns_the_next(self) -> None:
        machine = running()
        machine.focus("firefox", "Report — Mozilla Firefox")
        machine.wait(2)
        machine.answer(True)
        machine.focus("firefox", "Cats — Mozilla Firefox")
        assert machine.status() == "idle"
        machine.wait(10)
        machine.answer(False)
        machine.focus("firefox", "(1) Report — Mozilla Firefox")

        assert machine.status() == "ontask"
        assert [window.title for window in machine.asked] == [
            "Report — Mozilla Firefox",
            "Cats — Mozilla Firefox",
        ]

    def test_by_class_a_page_stands_for_its_program(self) -> None:
        """`drift.cache = "class"` knows no many-faced programs."""
        machine = running(rules=Rules(has_judge=True))
        machine.focus("firefox", "Report — Mozilla Firefox")
        machine.wait(2)
        machine.answer(True)
        machine.focus("firefox", "Cats — Mozilla Firefox")

        assert machine.status() == "ontask"

    def test_is_gone_in_the_next_session(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.complete()
        machine.start()
        machine.wait(60)

        assert machine.status() == "pending"

    def test_is_bounded(self) -> None:
        machine = running(rules=FREE_JUDGE)
        for page in range(1_100):
            machine.focus("firefox", f"page {page}.")
            machine.wait(2)
            machine.answer(False)

        assert len(machine.drift.cache) == 1_024
        assert Key("firefox", "page 1099.") in machine.drift.cache
        assert Key("firefox", "page 0.") not in machine.drift.cache


class TestEpisodes:
    def test_an_episode_is_an_entry_into_drifting(self) -> None:
        machine = running("gimp")
        machine.drift_on("steam")
        machine.focus("steam", "another game")
        machine.wait(60)
        assert machine.drift.episodes == 1
        machine.focus("gimp")
        machine.focus("steam")
        machine.wait(2)

        assert machine.drift.episodes == 2

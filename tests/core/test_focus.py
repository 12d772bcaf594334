"""Which changes of the front count, and which are only flicker."""

from dataclasses import replace

from antidriftd.core.events import SensorChanged, TimeElapsed
from antidriftd.core.machine import next_deadline
from antidriftd.core.model import Window
from antidriftd.core.surface import surface
from tests.builders import SENSOR_LOST, SENSOR_OK, Machine
from tests.core.running import running


class TestNoWindow:
    def test_is_believed_once_it_has_lasted_50_ms(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.focus_nothing()
        machine.wait(0.049)
        assert machine.status() == "ontask"
        assert machine.state.window == Window("code", "")
        machine.wait(0.002)

        assert machine.status() == "idle"
        assert machine.state.window is None

    def test_between_two_windows_is_no_news(self) -> None:
        machine = running("code", "gimp")
        machine.focus("code")
        revision = machine.state.revision
        for _ in range(20):
            machine.focus_nothing()
            machine.wait(0.001)
            machine.focus("code")
        assert machine.state.revision == revision
        machine.wait(10)

        assert machine.status() == "ontask"
        assert machine.state.revision == revision

    def test_is_counted_from_when_it_was_first_named(self) -> None:
        machine = running()
        machine.focus("code")
        for _ in range(6):
            machine.focus_nothing()
            machine.wait(0.01)

        assert machine.state.window is None

    def test_is_believed_without_a_session_too(self) -> None:
        machine = Machine()
        machine.focus("code")
        machine.focus_nothing()
        machine.wait(0.05)

        assert machine.state.window is None
        assert machine.state.blank_at is None
        assert next_deadline(machine.state, machine.time.now()) is None

    def test_is_believed_before_the_event_that_comes_late(self) -> None:
        machine = running()
        machine.drift_on("steam")
        machine.focus_nothing()
        machine.time.advance(5)
        machine.focus("steam")

        assert machine.status() == "idle"
        machine.wait(2)
        assert machine.drift.episodes == 2

    def test_at_the_start_is_no_news(self) -> None:
        machine = running()
        before = machine.state
        machine.focus_nothing()

        assert machine.state.revision == before.revision
        assert machine.state.blank_at is None


class TestDecoration:
    """Bug 44: spinners rewrite a title twelve times a second (manaflow-ai/cmux PR#5118)."""

    def test_ten_spinner_frames_at_12_hz_ask_once_and_say_little(self) -> None:
        for window_class in ("kitty", "gimp", ""):
            machine = running()
            machine.wait(100)
            machine.focus(window_class, "building")
            revision = machine.state.revision
            for frame in range(12 * 60):
                machine.focus(window_class, f"{'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[frame % 10]} building")
                machine.wait(1 / 12)

            assert len(machine.asked) == 1
            assert machine.state.revision - revision <= 3

    def test_makes_no_other_window(self) -> None:
        machine = running()
        machine.focus("firefox", "(1) Inbox — Mozilla Firefox")
        since = machine.state.window_since
        machine.wait(1)
        machine.focus("Firefox ", "(2) Inbox — Mozilla Firefox")
        assert machine.state.window_since != since
        since = machine.state.window_since
        machine.wait(1)
        machine.focus("Firefox ", "(3) Inbox — Mozilla Firefox")

        assert machine.state.window_since == since

    def test_a_title_that_says_something_else_is_shown(self) -> None:
        machine = running("gimp")
        machine.focus("gimp", "a.png")
        machine.focus("gimp", "b.png")

        assert machine.state.window == Window("gimp", "b.png")

    def test_another_instance_is_shown(self) -> None:
        machine = running()
        machine.focus("chromium", "app", "one")
        machine.focus("chromium", "app", "two")

        assert machine.state.window == Window("chromium", "app", "two")

    def test_a_flood_of_titles_keeps_to_the_debounce(self) -> None:
        machine = running()
        for title in range(2_000):
            machine.focus("firefox", f"page {title}.")
            if machine.question:
                machine.answer(True)
            machine.wait(0.05)

        assert len(machine.asked) <= 7


class TestLostSensor:
    def test_is_no_window_at_once(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.lose_sensor()

        assert machine.state.window is None
        assert machine.status() == "idle"
        assert machine.state.sensor == SENSOR_LOST

    def test_leaves_the_session_and_its_times(self) -> None:
        machine = running("code")
        machine.focus("code")
        machine.wait(10)
        ends = machine.session.ends
        machine.lose_sensor()
        machine.wait(10)
        machine.feed(SensorChanged(SENSOR_OK))
        machine.focus("code")
        machine.wait(10)

        assert machine.status() == "ontask"
        assert machine.session.ends == ends
        assert (machine.evidence.ontask_secs, machine.evidence.unjudged_secs) == (20, 10)

    def test_raises_no_drift(self) -> None:
        machine = running()
        machine.focus("steam")
        machine.wait(2)
        machine.lose_sensor()
        machine.answer(False)
        machine.wait(100)

        assert (machine.status(), machine.drift.open) == ("idle", None)

    def test_that_has_something_else_to_say_is_a_new_revision(self) -> None:
        machine = Machine()
        machine.lose_sensor()
        revision = machine.state.revision
        machine.lose_sensor()

        assert machine.state.revision == revision


class TestSwitches:
    def test_go_to_a_program_without_a_class_and_back(self) -> None:
        machine = Machine()
        machine.start()
        machine.focus("", "a game")
        assert machine.evidence.switches == 0
        machine.focus("code", "main.py")
        assert machine.evidence.switches == 1
        machine.focus("", "a game")
        machine.focus("code", "main.py")

        assert machine.evidence.switches == 3

    def test_are_changes_of_class(self) -> None:
        machine = running()
        machine.focus("code", "a")
        assert machine.evidence.switches == 0
        machine.focus("code", "b")
        assert machine.evidence.switches == 0
        machine.focus("gimp")
        machine.focus("code", "a")

        assert machine.evidence.switches == 2

    def test_are_not_made_by_a_moment_without_a_window(self) -> None:
        machine = running()
        machine.focus("code")
        machine.focus_nothing()
        machine.wait(1)
        machine.focus("code")
        assert machine.evidence.switches == 0
        machine.focus_nothing()
        machine.wait(1)
        machine.focus("gimp")

        assert machine.evidence.switches == 1

    def test_count_from_the_window_that_was_there_at_the_start(self) -> None:
        machine = Machine()
        machine.focus("code")
        machine.start()
        machine.focus("gimp")

        assert machine.evidence.switches == 1

    def test_are_shown_at_once(self) -> None:
        machine = running("code", "gimp")
        machine.focus("code")
        revision = machine.state.revision
        machine.focus("gimp")

        assert machine.state.revision == revision + 1

    def test_go_on_over_a_restart(self) -> None:
        machine = running()
        machine.focus("code")
        machine.focus("gimp")
        machine.restart()
        machine.focus("gimp")
        assert machine.evidence.switches == 1
        machine.focus("code")

        assert machine.evidence.switches == 2


def test_time_alone_without_anything_to_decide_changes_nothing() -> None:
    machine = Machine()
    before = machine.state
    machine.time.advance(1_000_000)

    assert machine.feed(TimeElapsed()) == ()
    assert machine.state == before


class TestWhatWasSeen:
    def test_is_kept_newest_first_and_each_program_once(self) -> None:
        machine = Machine()
        for window_class in ("gimp", "code", "Gimp"):
            machine.focus(window_class, "a title")

        assert machine.state.seen_classes == ("Gimp", "code")

    def test_leaves_out_what_is_never_allowed_as_a_whole(self) -> None:
        machine = Machine()
        for window_class in ("firefox", "rofi", "", "kitty"):
            machine.focus(window_class, "a title")

        assert machine.state.seen_classes == ("kitty",)

    def test_is_bounded(self) -> None:
        machine = Machine()
        for number in range(20):
            machine.focus(f"program {number}", "a title")

        assert len(machine.state.seen_classes) == 9
        assert machine.state.seen_classes[0] == "program 19"

    def test_is_no_news(self) -> None:
        state = Machine().state
        assert surface(replace(state, seen_classes=("code",))) == surface(state)

"""What spoke last of a window: the allowed context, the cache or the judge; `why` tells it."""

from antidriftd.core.drift.page_key import Key
from antidriftd.core.drift.state import Ruled
from antidriftd.core.model import Window
from tests.builders import Machine
from tests.core.running import running

STEAM = Window("steam", "a game")
GIMP = Window("gimp", "a.png")


def last(machine: Machine) -> Ruled:
    assert machine.drift.last is not None
    return machine.drift.last


def judged(machine: Machine, window: Window, on_task: bool | None, reason: str = "") -> float:
    """Have a window judged; return when, on the boot clock."""
    machine.focus(window.window_class, window.title)
    machine.wait(12)
    machine.answer(on_task, reason)
    return machine.time.boot


def test_nothing_has_spoken_at_first() -> None:
    machine = running()
    machine.focus("rofi")
    machine.focus("steam")

    assert machine.drift.last is None


def test_the_allowed_context_speaks_at_once() -> None:
    machine = running("gimp")
    machine.focus("gimp", "a.png")

    assert last(machine) == Ruled("allowed", GIMP, True, "", machine.time.boot)


def test_the_judge_speaks_when_it_answers() -> None:
    machine = running()
    at = judged(machine, STEAM, False, "a game")
    machine.wait(100)

    assert last(machine) == Ruled("judge", STEAM, False, "a game", at, Key("steam", None))


def test_a_verdict_stays_the_judges_while_its_window_stays() -> None:
    for on_task in (True, False):
        machine = running()
        at = judged(machine, STEAM, on_task)
        machine.extend(60)
        machine.wait(400)

        assert (last(machine).by, last(machine).at) == ("judge", at)


def test_a_judge_that_cannot_tell_has_spoken() -> None:
    machine = running()
    judged(machine, STEAM, None, "who knows")

    assert (last(machine).on_task, last(machine).reason) == (None, "who knows")


def test_a_judge_that_fails_has_spoken_without_a_verdict() -> None:
    machine = running("gimp")
    machine.focus("gimp", "a.png")
    machine.focus("steam", "a game")
    machine.wait(12)
    machine.fail()

    assert last(machine) == Ruled("judge", STEAM, None, "", machine.time.boot, Key("steam", None))


def test_the_cache_speaks_when_the_window_comes_back() -> None:
    machine = running("gimp")
    judged(machine, STEAM, False, "a game")
    machine.focus("gimp", "a.png")
    machine.focus("steam", "a game")
    assert last(machine).by == "allowed"
    machine.wait(2)

    assert last(machine) == Ruled(
        "cache", STEAM, False, "a game", machine.time.boot, Key("steam", None)
    )


def test_the_cache_speaks_when_the_window_comes_back_from_one_that_says_nothing() -> None:
    machine = running()
    judged(machine, STEAM, False)
    machine.wait(1)
    machine.focus("rofi")
    assert last(machine).by == "judge"
    machine.focus("steam", "a game")
    machine.wait(2)

    assert last(machine).by == "cache"


def test_the_allowed_context_speaks_over_a_verdict_on_the_same_window() -> None:
    machine = running()
    judged(machine, STEAM, True)
    machine.on_task(window_class="steam")

    assert last(machine).by == "allowed"


def test_a_window_that_stays_is_ruled_on_once() -> None:
    """So that a session that goes on and on keeps the time of the ruling."""
    machine = running("gimp")
    machine.focus("gimp", "a.png")
    began = machine.time.boot
    machine.wait(500)
    machine.extend(60)

    assert last(machine).at == began


def test_an_allowed_terminal_hides_no_verdict() -> None:
    """`antidrift why` is typed in one."""
    machine = running("kitty")
    machine.focus("kitty", "vim")
    assert last(machine).window == Window("kitty", "vim")
    judged(machine, STEAM, False)
    machine.focus("kitty", "zsh")

    assert (last(machine).by, last(machine).window) == ("judge", STEAM)


def test_what_spoke_in_one_session_says_nothing_in_the_next() -> None:
    machine = running()
    judged(machine, STEAM, False)
    machine.complete()
    machine.start()

    assert machine.drift.last is None


def test_what_spoke_is_no_news() -> None:
    machine = running()
    machine.focus("steam", "a game")
    machine.wait(2)
    machine.answer(None)
    revision = machine.state.revision
    machine.wait(700)
    machine.answer(None)

    assert machine.state.revision == revision + 2  # pending, and idle again

"""Which changes a client sees: each is a new revision, and nothing else is."""

from collections.abc import Callable

import pytest

from antidriftd.core.surface import surface
from tests.builders import Machine


def drifting() -> Machine:
    machine = Machine()
    machine.start("code", timebox_secs=3600)
    machine.drift_on("steam", "a game")
    return machine


def step_the_clock(machine: Machine) -> None:
    machine.time.step_wall_clock(3600)
    machine.wait(0)
    machine.focus("steam", "• a game")


CHANGES: dict[str, Callable[[Machine], None]] = {
    "title": lambda machine: machine.focus("steam", "another game"),
    "class": lambda machine: machine.focus("mpv"),
    "status": lambda machine: machine.focus("code"),
    "sensor": Machine.lose_sensor,
    "wall clock": step_the_clock,
    "stale": lambda machine: machine.suspend(5 * 3600),
    "end": lambda machine: machine.extend(60),
    "allowed context": lambda machine: machine.on_task(window_class="gimp"),
    "open drift": Machine.refocus,
    "phase": Machine.complete,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_that_shows_is_a_new_revision(change: str) -> None:
    machine = drifting()
    before = machine.state
    CHANGES[change](machine)

    assert surface(machine.state) != surface(before)
    assert machine.state.revision == before.revision + 1


def test_the_open_drift_that_ends_by_itself_is_a_new_revision() -> None:
    machine = drifting()
    machine.focus("code")
    revision = machine.state.revision
    machine.wait(300)

    assert machine.state.revision == revision + 1


def test_no_window_is_a_new_revision_in_idle_too() -> None:
    machine = Machine()
    machine.focus("code")
    revision = machine.state.revision
    machine.focus_nothing()
    machine.wait(1)

    assert machine.state.revision == revision + 1


def test_the_wall_clock_is_a_new_revision_in_idle_too() -> None:
    """The window in front has a time of its own."""
    machine = Machine()
    machine.focus("code")
    revision = machine.state.revision
    step_the_clock(machine)

    assert machine.state.revision > revision


def test_time_that_passes_is_no_news() -> None:
    machine = drifting()
    revision = machine.state.revision
    machine.wait(3_000)

    assert machine.state.revision == revision
    assert machine.evidence.drift_secs == pytest.approx(3_000)


def test_a_cached_verdict_and_a_wait_are_no_news() -> None:
    machine = Machine()
    machine.start("code")
    machine.focus("steam")
    machine.wait(2)
    machine.focus("code")
    revision = machine.state.revision
    machine.answer(False)

    assert machine.state.revision == revision

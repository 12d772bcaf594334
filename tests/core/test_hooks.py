"""When the user's own programs run, and what is said when one fails."""

from dataclasses import replace
from typing import get_args

from antidriftd.core.effects import RunHook
from antidriftd.core.events import HookEnded
from antidriftd.core.model import HookName
from antidriftd.core.state import Active, Review
from tests.builders import RULES, Machine

HOOKS: tuple[HookName, ...] = get_args(HookName)
HOOKED = replace(RULES, hooks=frozenset(HOOKS))


def ran(machine: Machine) -> list[str]:
    return [effect.hook for effect in machine.effects if isinstance(effect, RunHook)]


def test_each_hook_runs_when_its_event_happens() -> None:
    machine = Machine(HOOKED)
    machine.start("code")
    machine.drift_on("steam", "a game")
    machine.refocus()
    machine.drift_on("mpv", "a film")
    machine.on_task()
    machine.complete()

    assert ran(machine) == [
        "on_start",
        "on_drift",
        "on_refocus",
        "on_drift",
        "on_ontask",
        "on_complete",
    ]


def test_only_hooks_that_have_a_program_run() -> None:
    machine = Machine(replace(RULES, hooks=frozenset({"on_drift"})))
    machine.start("code")
    machine.drift_on("steam", "a game")
    machine.complete()

    assert ran(machine) == ["on_drift"]


def test_a_hook_gets_the_state_that_its_event_led_to() -> None:
    machine = Machine(HOOKED)
    machine.start("code")
    machine.drift_on("steam", "a game", "no game")
    machine.complete()
    drifted, completed = [e.state.phase for e in machine.effects if isinstance(e, RunHook)][1:]

    assert isinstance(drifted, Active)
    assert drifted.drift.open
    assert drifted.drift.open.reason == "no game"
    assert isinstance(completed, Review)


def test_what_changes_nothing_runs_nothing() -> None:
    machine = Machine(HOOKED)
    machine.start("code")
    machine.refocus()
    machine.focus("code")
    machine.wait(100)

    assert ran(machine) == ["on_start"]


def test_a_drift_runs_its_hook_once_and_a_new_one_again() -> None:
    machine = Machine(HOOKED)
    machine.start("code")
    machine.drift_on("steam", "a game")
    machine.wait(100)
    machine.focus("code")
    machine.wait(5)
    assert ran(machine).count("on_drift") == 1
    machine.focus("steam", "a game")
    machine.wait(5)

    assert ran(machine).count("on_drift") == 2


def test_a_hook_that_failed_is_noticed_until_it_goes_well() -> None:
    machine = Machine(HOOKED)
    machine.feed(HookEnded("on_drift", "it exited with code 1"))
    machine.feed(HookEnded("on_start"))
    assert [notice.text for notice in machine.state.notices] == [
        "the hook on_drift failed: it exited with code 1"
    ]
    machine.feed(HookEnded("on_drift"))

    assert machine.state.notices == ()

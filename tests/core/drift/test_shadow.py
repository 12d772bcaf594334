"""In the shadow everything is judged and recorded, and nobody is interrupted."""

from dataclasses import replace

from antidriftd.core.recording_state import VerdictGiven
from tests.builders import RULES, Machine

SHADOW = replace(RULES, shadow=True, notifies=True)


def test_a_drift_is_recorded_and_shown_nowhere() -> None:
    machine = Machine(SHADOW)
    machine.start("code", timebox_secs=3600)
    machine.drift_on("steam", "a game", "no game helps")
    machine.wait(60)
    machine.focus("code")
    machine.wait(5)
    machine.focus("steam", "a game")
    machine.wait(60)

    assert (machine.status(), machine.drift.open, machine.drift.episodes) == ("idle", None, 0)
    assert machine.state.notified.shown is None
    assert len(machine.asked) == 1
    machine.complete()
    (verdict,) = (row for row in machine.history.values() if isinstance(row, VerdictGiven))
    assert (verdict.on_task, verdict.shadow, verdict.window_class) == (False, True, "steam")


def test_a_verdict_on_task_counts_as_ever() -> None:
    machine = Machine(SHADOW)
    machine.start("code")
    machine.focus("evince", "a.pdf")
    machine.wait(12)
    machine.answer(True)

    assert machine.status() == "ontask"


def test_a_page_left_for_another_opens_no_drift() -> None:
    machine = Machine(SHADOW)
    machine.start("code")
    machine.focus("firefox", "cats — Mozilla Firefox")
    machine.wait(12)
    machine.focus("firefox", "dogs — Mozilla Firefox")
    machine.answer(False)

    assert machine.drift.open is None

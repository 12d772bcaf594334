"""While nothing happens the machine asks to be woken up for a save now and then, for no more."""

import pytest

from antidriftd.core import events
from antidriftd.core.effects import Effect
from antidriftd.core.saving import CHECKPOINT_SECS
from tests.builders import Machine

_SECS = 1000.0


class Woken(Machine):
    """Counts how often time alone was an event."""

    wake_ups = 0

    def feed(self, event: events.Event) -> tuple[Effect, ...]:
        self.wake_ups += isinstance(event, events.TimeElapsed)
        return super().feed(event)


@pytest.fixture
def machine() -> Woken:
    return Woken()


def test_without_a_session_nothing_wakes_it_up(machine: Woken) -> None:
    machine.focus("firefox", "news")
    machine.wait(_SECS)
    machine.plan("write")
    machine.wait(_SECS)

    assert machine.wake_ups == 0


def test_on_task_it_wakes_up_to_save(machine: Woken) -> None:
    machine.focus("code", "main.py")
    machine.start("code", timebox_secs=3600)
    machine.wait(_SECS)

    assert machine.wake_ups == _SECS / CHECKPOINT_SECS


def test_a_drift_adds_a_dwell_and_no_rhythm_of_its_own(machine: Woken) -> None:
    machine.start(timebox_secs=3600)
    machine.focus("firefox", "cats")
    machine.wait(10)
    machine.answer(on_task=False)
    machine.wait(10)
    before = machine.wake_ups
    machine.wait(_SECS - 20)

    # The notification is repeated once a quarter of an hour.
    assert machine.wake_ups - before <= _SECS / CHECKPOINT_SECS + 1

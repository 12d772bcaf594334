"""A session whose drifts and ends are told, and what the person was told."""

from dataclasses import replace

from antidriftd.core.effects import ShowNotification, WithdrawNotification
from antidriftd.core.model import Notification
from antidriftd.core.rules import Rules
from tests.builders import RULES, Machine

NOTIFYING = replace(RULES, notifies=True)
DAY_SECS = 86_400
GONE = "withdrawn"


def running(rules: Rules = NOTIFYING, *, timebox_secs: int = 3600) -> Machine:
    """Return a session in which `code` is allowed."""
    machine = Machine(rules)
    machine.start("code", timebox_secs=timebox_secs)
    return machine


def told(machine: Machine) -> list[str]:
    """Return what the person was told, in order: the title that drifted, or the end of time."""
    return [
        _title(effect.notification) if isinstance(effect, ShowNotification) else GONE
        for effect in machine.effects
        if isinstance(effect, ShowNotification | WithdrawNotification)
    ]


def _title(notification: Notification) -> str:
    return notification.window.title if notification.window else notification.about


def last(machine: Machine) -> Notification:
    shown = machine.state.notified.shown
    assert shown is not None
    return shown

"""Sessions with a nudger, and its answers."""

from dataclasses import replace

from antidriftd.core.effects import AskNudger
from antidriftd.core.events import NudgeFailed, NudgeReturned
from antidriftd.core.rules import Rules
from tests.builders import NO_JUDGE, RULES, Machine
from tests.fakes.clock import FakeTime

EVERY = 300.0
WITH_NUDGER = replace(RULES, has_nudger=True, nudge_every_secs=EVERY)
ONLY_A_NUDGER = replace(NO_JUDGE, has_nudger=True, nudge_every_secs=EVERY)


def running(
    rules: Rules = WITH_NUDGER, *, timebox_secs: int = 7200, time: FakeTime | None = None
) -> Machine:
    machine = Machine(rules, time=time)
    machine.start("code", timebox_secs=timebox_secs)
    machine.focus("code", "main.py")
    return machine


def asked(machine: Machine) -> list[AskNudger]:
    return [effect for effect in machine.effects if isinstance(effect, AskNudger)]


def say(machine: Machine, text: str = "twenty minutes left") -> None:
    machine.feed(NudgeReturned(machine.under_way.only(AskNudger).request, text))


def stay_silent(machine: Machine) -> None:
    machine.feed(NudgeFailed(machine.under_way.only(AskNudger).request, "it printed nothing"))


def shown(machine: Machine) -> str:
    return machine.active.nudge.text

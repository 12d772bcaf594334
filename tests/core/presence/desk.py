"""A machine at which somebody sits, or doesn't."""

from antidriftd.core.events import (
    InputSeen,
)
from tests.builders import Machine

HOUR = 3600.0
DAY = 86_400


class Desk:
    """A machine at which somebody sits, or doesn't: a sensor tells of input every ten seconds."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.touched = machine.time.boot

    def touch(self) -> None:
        self.touched = self.machine.time.boot
        self.tell()

    def tell(self) -> None:
        self.machine.feed(InputSeen(self.machine.time.boot - self.touched))

    def work(self, secs: float) -> None:
        for _ in range(int(secs // 10)):
            self.machine.wait(10)
            self.touch()

    def idle(self, secs: float) -> None:
        for _ in range(int(secs // 10)):
            self.machine.wait(10)
            self.tell()


def at_work(*classes: str) -> tuple[Machine, Desk]:
    machine = Machine()
    machine.start(*(classes or ("code",)), timebox_secs=DAY)
    return machine, Desk(machine)


def sums(machine: Machine) -> tuple[float, float, float, float]:
    evidence = machine.evidence
    four = (
        evidence.ontask_secs,
        evidence.drift_secs,
        evidence.unjudged_secs,
        evidence.away_secs,
    )
    on_task, drift, unjudged, away = (round(secs, 3) for secs in four)
    return on_task, drift, unjudged, away

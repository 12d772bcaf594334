"""A daemon that measures itself: the longest pass of its loop, in which nobody else is served."""

import re
import signal
import sys
from dataclasses import dataclass

from tests.bench.streams import wait_until
from tests.daemons import Daemon

_INSTRUMENT = """
import functools, signal, sys, time
import trio

class LongestPass(trio.abc.Instrument):
    began = began_cpu = longest = longest_cpu = 0.0

    def after_io_wait(self, timeout):
        self.began, self.began_cpu = time.perf_counter(), time.thread_time()

    def before_io_wait(self, timeout):
        if self.began:
            self.longest = max(self.longest, time.perf_counter() - self.began)
            self.longest_cpu = max(self.longest_cpu, time.thread_time() - self.began_cpu)

    def tell(self, *_):
        print(f"LONGEST {self.longest} {self.longest_cpu}", file=sys.stderr)
        self.longest = self.longest_cpu = 0.0

instrument = LongestPass()
signal.signal(signal.SIGUSR1, instrument.tell)
trio.run = functools.partial(trio.run, instruments=[instrument])
from antidriftd.__main__ import main
main()
"""

MEASURED = (sys.executable, "-c", _INSTRUMENT)
"""The daemon as a program that tells on a signal how long its loop was busy."""


@dataclass(frozen=True, slots=True)
class Stall:
    """The longest pass since the last time that it was asked for, in seconds."""

    secs: float
    """By the clock, so it has what other programs took of the machine meanwhile."""
    cpu_secs: float
    """What the longest took of its own."""


def longest_pass(daemon: Daemon) -> Stall:
    """Return the longest pass of a daemon's loop since this was last asked; begin anew."""
    told = daemon.log.count("LONGEST ")
    assert daemon.process
    daemon.process.send_signal(signal.SIGUSR1)
    wait_until(lambda: len(_passes(daemon)) > told)
    return _passes(daemon)[-1]


def _passes(daemon: Daemon) -> list[Stall]:
    found = re.findall(r"^LONGEST (\S+) (\S+)\n", daemon.log, re.MULTILINE)
    return [Stall(float(secs), float(cpu_secs)) for secs, cpu_secs in found]

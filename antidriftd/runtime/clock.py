"""The only place that reads a clock."""

import time
from pathlib import Path
from typing import Protocol

import trio

from antidriftd.core.model import Moment

# Clients and files see no more of a time; with more of it, a file would give back another one.
_MICROSECONDS = 6


class Clock(Protocol):
    """Where the daemon gets the time from."""

    def now(self) -> Moment:
        """Return one reading of the three clocks."""


class SystemClock:
    """The machine's clocks; `mono` is Trio's own, so that deadlines and readings agree."""

    def now(self) -> Moment:
        """Return one reading of the three clocks."""
        mono = trio.current_time()
        boot = round(time.clock_gettime(time.CLOCK_BOOTTIME), _MICROSECONDS)
        utc = self.utc()
        return Moment(mono, boot, utc, zone_secs=time.localtime(utc).tm_gmtoff)

    def utc(self) -> float:
        """Return the wall clock, in seconds since 1970."""
        return round(time.time(), _MICROSECONDS)


def boot_id() -> str:
    """Return the kernel's id of this boot (random(4)), empty when it doesn't tell."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""

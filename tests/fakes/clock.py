"""Clocks for tests: one to turn by hand, and one that goes with Trio's, which can jump."""

import trio

from antidriftd.core.model import Moment

_UTC = 1_800_000_000.0
_BOOT_SECS = 5_000.0


class FakeTime:
    """Three clocks that move only when told to."""

    def __init__(self, *, mono: float = 1_000.0, boot: float = 5_000.0) -> None:
        self.mono = mono
        self.boot = boot
        self.utc = 1_800_000_000.0

    def now(self) -> Moment:
        """Return one reading of the three clocks."""
        return Moment(mono=self.mono, boot=self.boot, utc=self.utc)

    def advance(self, secs: float) -> None:
        """Let time pass while the machine is awake."""
        self.mono += secs
        self.suspend(secs)

    def suspend(self, secs: float) -> None:
        """Let time pass while the machine sleeps: `mono` stands still."""
        self.boot += secs
        self.utc += secs

    def step_wall_clock(self, secs: float) -> None:
        """Set the wall clock forth or back."""
        self.utc += secs

    def reboot(self, off_secs: float) -> None:
        """Switch the machine off for a while; both counters begin anew."""
        self.mono = self.boot = 20.0
        self.utc += off_secs


class TrioClock:
    """Reads all three clocks from Trio's own; the machine can also sleep."""

    def __init__(self) -> None:
        self._slept_secs = 0.0
        self.readings = 0
        """How often it was asked."""
        self.broken = False

    def suspend(self, secs: float) -> None:
        """Let the machine have slept: `mono` stood still."""
        self._slept_secs += secs

    def now(self) -> Moment:
        """Return one reading of the three clocks."""
        if self.broken:
            raise RuntimeError("the clock is broken")
        self.readings += 1
        mono = trio.current_time()
        passed = mono + self._slept_secs
        return Moment(mono=mono, boot=_BOOT_SECS + passed, utc=_UTC + passed)

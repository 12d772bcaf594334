"""A clock that goes with Trio's, so that the jumping one drives all three readings."""

import trio

from antidriftd.core.model import Moment

_UTC = 1_800_000_000.0
_BOOT_SECS = 5_000.0


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

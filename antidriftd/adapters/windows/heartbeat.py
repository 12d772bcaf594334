"""When a sensor program that waits for events has something to do without any."""

import os
import signal

from antidriftd.adapters.windows.program import ALIVE_EVERY_SECS

QUIET_SECS = 60.0
"""Without input for so long, its return is looked out for: an absence may be about to begin."""

GLANCE_EVERY_SECS = 2.0

GLANCES_A_SIGN = 4
"""How many looks for input there are to one sign of life, which is due at least every 10 s."""

# More beats than can be waiting; each is one byte.
_READ_BYTES = 4096


class Heartbeat:
    """Beats every 9 s; every 2 s while nobody touches anything, so that a return is seen soon.

    A timer of the kernel, because time-outs of `select` begin anew with each event. There can be
    one in a process.
    """

    def __init__(self) -> None:
        self._reader, writer = os.pipe()
        self._quiet = False
        self._beats = 0
        os.set_blocking(writer, False)
        signal.signal(signal.SIGALRM, lambda _number, _frame: None)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        _beat_every(ALIVE_EVERY_SECS)

    def fileno(self) -> int:
        """Return the file descriptor that is readable once it has beaten."""
        return self._reader

    def take(self) -> bool:
        """Take what it has beaten; returns whether a sign of life is due."""
        os.read(self._reader, _READ_BYTES)
        self._beats += 1
        return not self._quiet or self._beats % GLANCES_A_SIGN == 0

    def adapt(self, idle_secs: float | None) -> bool:
        """Beat as the time without input asks for; returns whether somebody has just come back."""
        quiet = idle_secs is not None and idle_secs >= QUIET_SECS
        is_back = self._quiet and not quiet
        if quiet != self._quiet:
            self._quiet = quiet
            self._beats = 0
            _beat_every(GLANCE_EVERY_SECS if quiet else ALIVE_EVERY_SECS)
        return is_back


def _beat_every(secs: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, secs, secs)

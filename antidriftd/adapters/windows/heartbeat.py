"""When a sensor program that waits for events has something to do without any."""

import os
import signal

from antidriftd.adapters.windows.program import ALIVE_EVERY_SECS

# More beats than can be waiting; each is one byte.
_READ_BYTES = 4096


class Heartbeat:
    """Beats every 9 s.

    A timer of the kernel, because time-outs of `select` begin anew with each event. There can be
    one in a process.
    """

    def __init__(self) -> None:
        self._reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.signal(signal.SIGALRM, lambda _number, _frame: None)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.setitimer(signal.ITIMER_REAL, ALIVE_EVERY_SECS, ALIVE_EVERY_SECS)

    def fileno(self) -> int:
        """Return the file descriptor that is readable once it has beaten."""
        return self._reader

    def take(self) -> None:
        """Take what it has beaten."""
        os.read(self._reader, _READ_BYTES)

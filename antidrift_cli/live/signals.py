"""Signals read like any other input, so that none interrupts what must be finished."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_HEARD: Final = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGWINCH,
    signal.SIGTSTP,
    signal.SIGCONT,
)


class Signals:
    """The signals that came; `fileno` is readable while there are some."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        """Return the descriptor to poll."""
        return self._descriptor

    def take(self) -> bytes:
        """Return the numbers of the signals that came, and forget them."""
        return os.read(self._descriptor, 256)


@contextmanager
def open_signals() -> Iterator[Signals]:
    """Let signals do nothing but be read, until the context is left."""
    ours, theirs = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    wakeup = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    before = {each: signal.signal(each, _be_heard) for each in _HEARD}
    try:
        yield Signals(ours)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup)
        os.close(ours)
        os.close(theirs)


def stop() -> None:
    """Stop this process, as Ctrl-Z does; returns when it goes on (not at all, without a shell)."""
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    signal.raise_signal(signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, handler)


def _be_heard(_number: int, _frame: object) -> None:
    """Do nothing: the number is in the pipe by now."""

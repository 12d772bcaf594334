"""What a sensor program does besides sensing: it prints lines, and ends with its daemon.

Imports the standard library only, so that the programs stay small.
"""

import contextlib
import fcntl
import json
import os
import select
import signal
import sys
from collections.abc import Callable

from antidriftd.adapters.windows.limits import MAX_CLASS_CHARS, MAX_TITLE_CHARS

ALIVE_EVERY_SECS = 9.0

Record = dict[str, object]

NO_WINDOW: Record = {"window": None}


def window_record(window_class: str, title: str, instance: str) -> Record:
    """Return the record of a window in front, its texts cut to what is kept."""
    return {
        "class": window_class[:MAX_CLASS_CHARS],
        "instance": instance[:MAX_CLASS_CHARS],
        "title": title[:MAX_TITLE_CHARS],
    }


class Printer:
    """Prints records on standard output, one JSON object a line, without repeating itself.

    Each method raises BrokenPipeError once nobody reads any more.
    """

    def __init__(self) -> None:
        self._window: Record = {}
        self._detail = ""

    def window(self, record: Record) -> None:
        """Tell what is in front, unless that is what was told last."""
        if record != self._window:
            self._window = record
            _write(record)

    def detail(self, text: str) -> None:
        """Tell what a person should know although the sensor works; empty when nothing."""
        if text != self._detail:
            self._detail = text
            _write({"detail": text})

    def alive(self, idle_secs: float | None = None) -> None:
        """Tell that the source has just been seen to answer; input was `idle_secs` ago."""
        _write({"alive": True} if idle_secs is None else {"alive": True, "idle_secs": idle_secs})

    def unavailable(self, reason: str) -> None:
        """Tell why the program is about to end."""
        _write({"unavailable": " ".join(reason.split())})


def run_program(sense: Callable[[Printer], None]) -> None:
    """Run `sense` as the whole of this process; ends with status 1 when it fails.

    Whatever `sense` raises ends the program: its source is in an unknown state by then, and the
    daemon starts the program again.
    """
    _end_with_daemon()
    printer = Printer()
    try:
        sense(printer)
    except BrokenPipeError:
        sys.exit(1)
    except Exception as problem:
        with contextlib.suppress(BrokenPipeError):
            printer.unavailable(str(problem) or type(problem).__name__)
        sys.exit(1)


def _end_with_daemon() -> None:
    """Have the kernel end this process as soon as standard input ends.

    The daemon holds the other end and never writes. SIGIO works even while a library waits for a
    server that doesn't answer, or spins; its default action is to end the process (signal(7)).
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    stdin = sys.stdin.fileno()
    fcntl.fcntl(stdin, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(stdin, fcntl.F_SETFL, fcntl.fcntl(stdin, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([stdin], [], [], 0)[0]:
        sys.exit(1)


def _write(record: Record) -> None:
    line = json.dumps(record).encode() + b"\n"
    while line:
        line = line[os.write(sys.stdout.fileno(), line) :]

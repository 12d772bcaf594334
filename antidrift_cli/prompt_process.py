"""`antidrift prompt` as a process: quick, silent about trouble, and always a success.

A shell waits for it before every prompt, so nothing may hold it up: it ends after 0.1 s whatever it
is doing, with what Python itself needs to start within 150 ms.
"""

import os
import signal
from types import FrameType
from typing import Final, NoReturn

_LIMIT_SECS: Final = 0.1


def show() -> NoReturn:
    """Print the segment, if there is one, and end the process with status 0."""
    try:
        signal.signal(signal.SIGALRM, _end)
        signal.setitimer(signal.ITIMER_REAL, _LIMIT_SECS)
        _print_segment()
    finally:  # whatever went wrong: a prompt is no place to say so
        os._exit(0)


def _print_segment() -> None:
    # Here, where the limit is in force: a disk that hangs may hold them.
    from antidrift_cli.clock import now
    from antidrift_cli.prompt_segment import read_status, segment

    status = read_status(os.environ)
    text = segment(status, now()) if status else ""
    if text:
        os.write(1, f"{text}\n".encode())


def _end(_signal: int, _frame: FrameType | None) -> NoReturn:
    os._exit(0)

"""`antidrift prompt` as a process: quick, silent about trouble, and always a success.

A shell waits for it before every prompt, so nothing may hold it up: it ends after 0.1 s whatever it
is doing. It imports what Python has loaded to start, and four short modules of ours;
`signal` would bring `enum` and with it a dozen more.
"""

import _signal  # type: ignore[import-not-found]  # typeshed only has `signal`
import os

TYPE_CHECKING = False  # as `typing` has it
if TYPE_CHECKING:
    from typing import NoReturn

_LIMIT_SECS = 0.1


def show() -> "NoReturn":
    """Print the segment, if there is one, and end the process with status 0."""
    try:
        _signal.signal(_signal.SIGALRM, _end)
        _signal.setitimer(_signal.ITIMER_REAL, _LIMIT_SECS)
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


def _end(_number: int, _frame: object) -> "NoReturn":
    os._exit(0)

"""The segment of a shell prompt: words of our own and the minutes left, no text from outside.

`antidrift_cli/shells` says the same in each shell's own language. It imports next to nothing:
`antidrift prompt` has to be quick.
"""

import os
from stat import S_ISREG

from protocol.paths import prompt_path, socket_path
from protocol.prompt import PromptStatus, decode

TYPE_CHECKING = False  # as `typing` has it
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_LINE_BYTES = 100
"""More than the daemon ever writes; a longer file isn't its."""

_OPENED = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
"""Opening a FIFO would otherwise wait for somebody who writes into it."""

_WORDS = {"ontask": "on task", "away": "away"}
"""What is said of what is in front, where that isn't `focus`."""


def segment(status: PromptStatus, now: float) -> str:
    """Return what a prompt shows at `now`, in seconds since the epoch; empty when it is idle."""
    if status.runtime != "active":
        return "" if status.runtime == "idle" else status.runtime
    if status.stale:
        return "stale"
    if status.drift == "paused":
        return "paused"  # and the time stands still
    return " ".join(filter(None, (_word(status), minutes(status.ends, now))))


def minutes(ends: int, now: float) -> str:
    """Return the minutes to `ends`, the one that runs included, or `+7m` after it.

    Both are in seconds since the epoch; an `ends` of 0 gives an empty text.
    """
    if not ends:
        return ""
    left = ends - int(now)
    return f"{(left + 59) // 60}m" if left > 0 else f"+{-left // 60}m"


def read_status(environ: "Mapping[str, str]") -> PromptStatus | None:
    """Return what a daemon that lives has written for prompts; None without one."""
    try:
        status = decode(_read(prompt_path(socket_path(environ))))
        if status:
            # As the shells do: /proc knows every process of ours, and looking sends no signal.
            os.stat(f"/proc/{status.pid}")  # noqa: PTH116  importing pathlib takes too long
    except (OSError, ValueError):  # ValueError: a path with a NUL, too long a path, or no home
        return None
    return status


def _word(status: PromptStatus) -> str:
    match status.open_drift:
        case "open":
            return "drifting!"
        case "past":
            return "drifted"
        case _:
            return _WORDS.get(status.drift, "focus")


def _read(path: str) -> bytes:
    """Return the line in a file; empty when it is no file or holds more than a line may."""
    descriptor = os.open(path, _OPENED)
    try:
        if not S_ISREG(os.fstat(descriptor).st_mode):
            return b""
        line = os.read(descriptor, MAX_LINE_BYTES + 1)
        return line if len(line) <= MAX_LINE_BYTES else b""
    finally:
        os.close(descriptor)

"""The file for shell prompts: one line of state that holds no text from outside.

A shell reads it with its builtins at every prompt, so its fields are words and numbers, separated
by single spaces. It imports next to nothing: `antidrift prompt` has to be quick.
"""

from typing import Final, NamedTuple

PROMPT_VERSION: Final = 1

RUNTIMES: Final = ("idle", "planning", "active", "review")
DRIFTS: Final = ("idle", "pending", "ontask", "drifting", "away", "paused")
"""`away` and `paused` while nothing is judged because nobody is there."""

OPEN_DRIFTS: Final = ("none", "open", "past")
"""`past` is an unanswered drift while what is in front is on task; after 10 s of it: `none`."""


class PromptStatus(NamedTuple):
    """What a prompt can tell; `ends` is in seconds since 1970, 0 without a session."""

    pid: int
    runtime: str
    drift: str
    open_drift: str
    stale: bool
    ends: int


def encode(status: PromptStatus) -> bytes:
    """Return the line for `status`."""
    pid, runtime, drift, open_drift, stale, ends = status
    line = f"{PROMPT_VERSION} {pid} {runtime} {drift} {open_drift} {stale:d} {ends}\n"
    return line.encode()


def decode(line: bytes) -> PromptStatus | None:
    """Return the status in `line`; None when it is of another version, or no such line."""
    fields = line.decode("ascii", "replace").split()
    if len(fields) != 7 or fields[0] != str(PROMPT_VERSION) or not line.endswith(b"\n"):
        return None
    _, pid, runtime, drift, open_drift, stale, ends = fields
    numbers = (pid, stale, ends)
    known = runtime in RUNTIMES and drift in DRIFTS and open_drift in OPEN_DRIFTS
    if not known or not all(number.isdigit() for number in numbers):
        return None
    return PromptStatus(int(pid), runtime, drift, open_drift, stale == "1", int(ends))

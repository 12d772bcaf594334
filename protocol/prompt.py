"""The file for shell prompts: one line of state that holds no text from outside.

A shell reads it with its builtins at every prompt, so its fields are words and numbers, separated
by single spaces. It imports nothing: `antidrift prompt` has to be quick.
"""

PROMPT_VERSION = 1

RUNTIMES = ("idle", "planning", "active", "review")
DRIFTS = ("idle", "pending", "ontask", "drifting", "away", "paused")
"""`away` and `paused` while nothing is judged because nobody is there."""

OPEN_DRIFTS = ("none", "open", "past")
"""`past` is an unanswered drift while what is in front is on task; after 10 s of it: `none`."""


class PromptStatus:
    """What a prompt can tell; `ends` is in seconds since 1970, 0 without a session.

    Written out, as what makes such classes takes longer to import than a prompt may.
    """

    __slots__ = ("pid", "runtime", "drift", "open_drift", "stale", "ends")  # noqa: RUF023  as in the file

    def __init__(
        self, pid: int, runtime: str, drift: str, open_drift: str, stale: bool, ends: int
    ) -> None:
        self.pid = pid
        self.runtime = runtime
        self.drift = drift
        self.open_drift = open_drift
        self.stale = stale
        self.ends = ends

    def members(self) -> dict[str, int | str | bool]:
        """Return the value of each field by its name."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PromptStatus) and self.members() == other.members()

    def __hash__(self) -> int:
        return hash(tuple(self.members().values()))


def encode(status: PromptStatus) -> bytes:
    """Return the line for `status`."""
    line = (
        f"{PROMPT_VERSION} {status.pid} {status.runtime} {status.drift} {status.open_drift} "
        f"{status.stale:d} {status.ends}\n"
    )
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

"""What is asked and fetched while the person makes up their mind."""

from dataclasses import dataclass, field
from typing import Literal

from antidriftd.core.model import Proposal, Task


@dataclass(frozen=True, slots=True)
class Coaching:
    """The coach's proposal, or the request for one that is under way."""

    status: Literal["idle", "pending", "ready", "error"] = "idle"
    request: int | None = None
    error: str = ""
    proposal: Proposal | None = None
    awaits_profile: bool = False
    """Asked for together with planning: the profile, which is just being read, comes first."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """The person's profile; its text goes into the coach's prompt and nowhere else."""

    status: Literal["idle", "pending", "ready", "absent", "error"] = "idle"
    request: int | None = None
    path: str = ""
    code: str = ""
    """What could not be established of a node."""
    text: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class TaskList:
    """Today's tasks; `asked` says that a client asked for them, so that idle shows them too."""

    status: Literal["idle", "pending", "ready", "empty", "error"] = "idle"
    request: int | None = None
    error: str = ""
    items: tuple[Task, ...] = ()
    asked: bool = False

"""What the nudger said, and when it is asked again."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Nudge:
    """The last nudge of a session; an empty text is none. `at` is on the boot clock."""

    text: str = ""
    at: float = 0.0
    request: int | None = None
    """The request under way."""
    due_secs: float | None = None
    """At how much counted time of the session it is asked next; None until that is worked out."""

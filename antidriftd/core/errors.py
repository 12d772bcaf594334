"""Why the core refuses a command."""

from typing import Literal

RefusalKind = Literal["not_active", "wrong_state", "invalid_value", "unavailable"]


class TransitionRefused(Exception):
    """A command that may not happen now; the state is as it was.

    The message is one line that says what to do instead.
    """

    def __init__(self, kind: RefusalKind, message: str) -> None:
        super().__init__(message)
        self.kind: RefusalKind = kind

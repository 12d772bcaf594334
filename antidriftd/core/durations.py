"""The rule for a length of time that a user or the coach gives."""

from antidriftd.core.errors import TransitionRefused

MAX_SECS = 86_400


def checked_secs(what: str, secs: int) -> int:
    """Return `secs`.

    Raises:
        TransitionRefused: it isn't between a second and a day.
    """
    if not 1 <= secs <= MAX_SECS:
        message = f"{what} must be 1 to {MAX_SECS} seconds (24 hours)"
        raise TransitionRefused("invalid_value", message)
    return secs

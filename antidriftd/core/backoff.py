"""How long to wait before what failed is tried again."""

_MAX_DOUBLINGS = 10


def backoff_secs(earlier_failures: int, *, first_secs: float, longest_secs: float) -> float:
    """Return the wait after a failure: twice as long as after the one before, up to the longest."""
    return min(first_secs * 2.0 ** min(earlier_failures, _MAX_DOUBLINGS), longest_secs)

"""The client's only look at a clock."""

import time


def time_of_day() -> str:
    """Return the local time as `HH:MM:SS`; lengths of time come from the daemon's figures."""
    return time.strftime("%H:%M:%S")


def now() -> float:
    """Return the time in seconds since the epoch, to count along with a State's moments."""
    return time.time()

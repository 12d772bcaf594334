"""The client's only look at a clock: at what time of day a line is printed."""

import time


def time_of_day() -> str:
    """Return the local time as `HH:MM:SS`; lengths of time come from the daemon's figures."""
    return time.strftime("%H:%M:%S")

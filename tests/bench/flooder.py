"""A program that changes its window's title without rest.

A line on standard input begins a flood; it names it, and says how long to rest after each hundred.
"""

import os
import sys
import time

from tests.bench.screen import Screen

CHANGES = 10_000


def last_title(flood: str) -> str:
    """Return the title that the window has at the end."""
    return _title(flood, CHANGES - 1)


def main() -> None:
    """Change the title `CHANGES` times for each line, and then print one."""
    with Screen(os.environ["DISPLAY"], windows=1) as screen:
        print("ready", flush=True)
        for line in sys.stdin:
            flood, rest_secs = line.split()
            for number in range(CHANGES):
                screen.retitle(0, _title(flood, number))
                if number % 100 == 99:
                    time.sleep(float(rest_secs))
            screen.sync()
            print("done", flush=True)


def _title(flood: str, number: int) -> str:
    return f"{flood} {number}."


if __name__ == "__main__":
    main()

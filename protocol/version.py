"""The versions of the package and of the protocol, and when two sides understand each other."""

from typing import Final

VERSION: Final = "0.1.0"
"""The package's version, as in pyproject.toml (asking importlib.metadata costs 45 ms a start)."""

PROTOCOL_VERSION: Final = 1
"""Rises when a client of the former number would misread a daemon of the new one."""


def speaks_our_protocol(number: int) -> bool:
    """Return whether a peer with protocol `number` and this side understand each other.

    Methods and members may be added under the same number; anything else takes a new one, so
    equal numbers is the whole rule.
    """
    return number == PROTOCOL_VERSION

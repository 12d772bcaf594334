"""How a person starts the daemon on this machine."""

import os
from typing import Final

_BOOTED: Final = "/run/systemd/system"
"""A directory that is there where systemd runs: sd_booted(3)."""


def has_systemd() -> bool:
    """Return whether systemd runs this machine."""
    return os.access(_BOOTED, os.F_OK)


def how_to_start() -> str:
    """Return the end of a message that no daemon answers."""
    second = (
        " or `systemctl --user start antidriftd`"
        if has_systemd()
        else ", or `antidriftd &` to keep the terminal"
    )
    return f"start it with `antidriftd`{second}"

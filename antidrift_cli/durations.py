"""Lengths of time as people write and read them."""

import re
from typing import Final

MAX_SECS: Final = 86_400

_NUMBER: Final = re.compile(r"[0-9]{1,6}")
_PARTS: Final = re.compile(r"(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,6})s)?")


def parse_secs(text: str) -> int:
    """Return the seconds that `text` means: `25` (minutes), `25m`, `90s`, `1h30m`.

    Raises:
        ValueError: it means none from one second to 24 hours.
    """
    if _NUMBER.fullmatch(text):
        secs = int(text) * 60
    elif text and (parts := _PARTS.fullmatch(text)):
        hours, minutes, seconds = (int(part or 0) for part in parts.groups())
        secs = hours * 3600 + minutes * 60 + seconds
    else:
        shown = text if len(text) <= 20 else f"{text[:20]}…"
        raise ValueError(f"{shown!r} is no length of time: write 25 (minutes), 25m, 90s or 1h30m")
    if not 1 <= secs <= MAX_SECS:
        raise ValueError(f"{text} is out of range: from 1s to 24h is allowed")
    return secs


def format_secs(secs: float) -> str:
    """Return a length of time in its two largest units: `1h 05m`, `25m`, `4m 30s`, `45s`."""
    whole = max(0, round(secs))
    hours, minutes, seconds = whole // 3600, whole // 60 % 60, whole % 60
    if hours:
        return f"{hours}h {minutes:02}m" if minutes else f"{hours}h"
    if minutes:
        return f"{minutes}m {seconds:02}s" if seconds else f"{minutes}m"
    return f"{seconds}s"

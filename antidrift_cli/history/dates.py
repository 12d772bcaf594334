"""Days as people write and read them, in the time zone here by the rules of that day."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

_FIRST: Final = date(1970, 1, 2)
_LAST: Final = date(2199, 12, 30)


def parse_day(text: str) -> datetime:
    """Return when the day that was typed begins here.

    Raises:
        ValueError: it is no day, or out of range.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text[:20]!r} is no date: write 2026-11-30") from None
    if not _FIRST <= day <= _LAST:
        raise ValueError(f"{day} is out of range: write 2026-11-30")
    return start_of(day)


def start_of(day: date) -> datetime:
    """Return when a day begins here, in UTC."""
    return datetime.combine(day, time()).astimezone(UTC)


def today(now: float) -> date:
    """Return which day it is here at `now`, in seconds since the epoch."""
    return datetime.fromtimestamp(now).date()


def monday(now: float) -> date:
    """Return the first day of the week that it is here at `now` (ISO 8601: a Monday)."""
    day = today(now)
    return day - timedelta(days=day.weekday())

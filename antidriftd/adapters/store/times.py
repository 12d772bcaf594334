"""Times on disk: in the core a session's are on the boot clock, in the file they are UTC.

By what the two clocks said at `as_of`, so that the file can be read and holds across a reboot.
"""

from datetime import UTC, datetime

from antidriftd.core.model import Moment


def utc_of(boot: float, as_of: Moment) -> datetime:
    """Return a boot-clock time as the file has it."""
    return as_datetime(boot + (as_of.utc - as_of.boot))


def boot_of(utc: datetime, as_of: Moment) -> float:
    """Return a time of the file on the boot clock."""
    return utc.timestamp() - as_of.utc + as_of.boot


def as_datetime(utc: float) -> datetime:
    """Return seconds since 1970 as the file has them."""
    return datetime.fromtimestamp(utc, UTC)

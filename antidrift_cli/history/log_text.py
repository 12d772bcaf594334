"""Sessions that are over as lines for a person, one each."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from antidrift_cli.durations import format_secs
from antidrift_cli.history.sessions import PastSession
from antidrift_cli.table import table_lines
from antidrift_cli.visible import cut

_ACTION_COLUMNS: Final = 60
_HEADING: Final = ("began", "planned", "took", "on task", "drifts", "outcome", "next action")
_RIGHT: Final = (False, True, True, True, True, False, False)


def log_lines(sessions: Sequence[PastSession]) -> list[str]:
    """Return a table of `sessions` under a heading, times as they were here; none for none."""
    if not sessions:
        return []
    return table_lines([_HEADING, *map(_row, sessions)], _RIGHT)


def nothing_line(since: datetime | None) -> str:
    """Return what is shown where no session is, of those that began at `since` or later."""
    return "no session has ended since then" if since else "no session has ended yet"


def percent(share: float | None) -> str:
    """Return a share as people write it; a dash when there is none."""
    return "-" if share is None else f"{100 * share:.0f}%"


def ontask_share(session: PastSession) -> float | None:
    """Return how much of the time in which somebody was there went to the task."""
    there = session.length_secs - session.away_secs
    return session.ontask_secs / there if there > 0 else None


def _row(session: PastSession) -> tuple[str, ...]:
    return (
        f"{session.started.astimezone():%Y-%m-%d %H:%M}",
        format_secs(session.timebox_secs),
        format_secs(session.length_secs),
        percent(ontask_share(session)),
        str(session.drift_episodes),
        session.outcome or "-",
        cut(session.next_action, _ACTION_COLUMNS),
    )

"""What changes as lines: for a person, or a State a line as JSON."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Protocol

from antidrift_cli.client import Reply
from antidrift_cli.clock import now, time_of_day
from antidrift_cli.errors import CliError
from antidrift_cli.live.following import read_news
from antidrift_cli.output import say, say_aside, say_json
from antidrift_cli.render import (
    drift_lines,
    notice_lines,
    nudge_lines,
    phase_line,
    sensor_lines,
    window_lines,
)
from antidrift_cli.render_planning import coach_lines, profile_lines, tasks_lines
from antidrift_cli.render_presence import presence_lines, return_lines
from protocol.views import State


class Printer(Protocol):
    """Prints what is new in one form."""

    def show(self, reply: Reply) -> None:
        """Print what is new in a State."""

    def due_secs(self) -> float | None:
        """Return in how many seconds there is something to print without a new State."""

    def tick(self) -> None:
        """Print what is due by now."""


def print_lines(environ: Mapping[str, str], printer: Printer) -> None:
    """Print what changes for as long as somebody reads it; messages go to standard error.

    Raises:
        CliError: no daemon answers at the start, or one of another protocol at any time.
    """
    known, away = False, False
    for news in read_news(environ, printer.due_secs):
        if isinstance(news, CliError):
            if not known:
                raise news
            if not away:
                say_aside([f"antidrift: {news}; waiting for it"])
            away = True
        elif news:
            if away:
                say_aside(["antidrift: the daemon is back"])
            printer.show(news)
            known, away = True, False
        else:
            printer.tick()


class JsonLines:
    """Prints each State as it came."""

    def show(self, reply: Reply) -> None:
        """Print the State."""
        say_json(reply.json)

    def due_secs(self) -> float | None:
        """Return None: time alone changes no State."""
        return None

    def tick(self) -> None:
        """Print nothing."""


class PlainLines:
    """Prints a line for each thing that is new, with the time of day."""

    def __init__(self) -> None:
        self._shown: State | None = None
        self._said_up: datetime | None = None

    def show(self, reply: Reply) -> None:
        """Print what the last State didn't say."""
        _say(changes(self._shown, reply.state))
        self._shown = reply.state
        self.tick()

    def due_secs(self) -> float | None:
        """Return in how many seconds the time is up, if that is still to be said."""
        end = self._end()
        return end.timestamp() - now() if end and end != self._said_up else None

    def tick(self) -> None:
        """Say that the time is up, once for each end that a session is given."""
        due = self.due_secs()
        if due is not None and due <= 0:
            self._said_up = self._end()
            _say(["time is up"])

    def _end(self) -> datetime | None:
        state = self._shown
        if not state or state.runtime != "active" or not state.commitment:
            return None
        commitment = state.commitment
        return None if commitment.stale or commitment.paused_at else commitment.ends_at


def changes(before: State | None, after: State) -> list[str]:
    """Return lines about what is new in `after`; all that matters when there is no `before`."""
    lines = return_lines(before, after) if before else []
    for part in _PARTS:
        new = part(after)
        if not before or new != part(before):
            lines += new
    known = notice_lines(before) if before else []
    return lines + [line for line in notice_lines(after) if line not in known]


def _say(lines: list[str]) -> None:
    say(f"{time_of_day()} {line}" for line in lines)


def _phase(state: State) -> list[str]:
    stale = " (stale)" if state.commitment and state.commitment.stale else ""
    return [phase_line(state) + stale]


_PARTS: Final = (
    _phase,
    coach_lines,
    profile_lines,
    tasks_lines,
    presence_lines,
    window_lines,
    drift_lines,
    nudge_lines,
    sensor_lines,
)

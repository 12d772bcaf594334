"""The verb `watch`: shows what changes, as it changes."""

import os
import time
from typing import Final

import click

from antidrift_cli.client import Reply, open_client
from antidrift_cli.clock import time_of_day
from antidrift_cli.errors import NoDaemon, Refused
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
from antidrift_cli.verb import examples, json_flag
from protocol.views import State

_FIRST_DELAY_SECS: Final = 0.5
_LONGEST_DELAY_SECS: Final = 5.0


@click.command(
    epilog=examples("antidrift watch", "antidrift watch --json | jq -r --unbuffered .runtime")
)
@json_flag
def watch(*, as_json: bool) -> None:
    """Show what changes, as it changes; with --json a State a line.

    When the daemon goes away it waits for the next one. Ends with Ctrl-C.
    """
    shown: State | None = None
    delay = _FIRST_DELAY_SECS
    while True:
        try:
            with open_client(os.environ) as client:
                for reply in client.watch():
                    if delay != _FIRST_DELAY_SECS:
                        say_aside(["antidrift: the daemon is back"])
                    _show(shown, reply, as_json=as_json)
                    shown, delay = reply.state, _FIRST_DELAY_SECS
            return
        except (NoDaemon, Refused) as error:
            if shown is None:
                raise
            if delay == _FIRST_DELAY_SECS:
                say_aside([f"antidrift: {error}; waiting for it"])
        time.sleep(delay)
        delay = min(2 * delay, _LONGEST_DELAY_SECS)


def _show(before: State | None, reply: Reply, *, as_json: bool) -> None:
    if as_json:
        say_json(reply.json)
    else:
        say(f"{time_of_day()} {line}" for line in changes(before, reply.state))


def changes(before: State | None, after: State) -> list[str]:
    """Return lines about what is new in `after`; all that matters when there is no `before`."""
    lines = []
    for part in _PARTS:
        new = part(after)
        if not before or new != part(before):
            lines += new
    known = notice_lines(before) if before else []
    return lines + [line for line in notice_lines(after) if line not in known]


def _phase(state: State) -> list[str]:
    stale = " (stale)" if state.commitment and state.commitment.stale else ""
    return [phase_line(state) + stale]


_PARTS: Final = (
    _phase,
    coach_lines,
    profile_lines,
    tasks_lines,
    window_lines,
    drift_lines,
    nudge_lines,
    sensor_lines,
)

"""The task source that is a program: what it prints is today's list."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from antidriftd.adapters.tasks.entries import tasks_of
from antidriftd.adapters.tasks.parsing import parse_entries
from antidriftd.adapters.tasks.port import TaskSourceError
from antidriftd.adapters.tasks.text import without_terminal_codes
from antidriftd.core.model import Task
from antidriftd.programs.errors import ProgramError
from antidriftd.programs.process import STREAM_CAP_BYTES, Ending, Outcome, run_program
from protocol.visible import one_line

TIMEOUT_SECS = 15.0
"""How much of a program's own words reaches the user."""

_log = logging.getLogger(__name__)


class CommandTaskSource:
    """Runs a program and reads its standard output; see `parsing` for what it may print."""

    def __init__(
        self,
        name: str,
        argv: Sequence[str],
        *,
        environ: Mapping[str, str],
        timeout_secs: float = TIMEOUT_SECS,
    ) -> None:
        """Take what its tasks name as their source, the program's absolute path first in `argv`.

        `environ` is all of the environment that the program gets.
        """
        self._name = name
        self._argv = argv
        self._environ = environ
        self._timeout_secs = timeout_secs

    async def fetch(self) -> tuple[Task, ...]:
        """Return the tasks in the order in which the program prints them; see `TaskSource.fetch`.

        What a program prints that fails counts only if it is JSON: an error message would pass for
        a title. Of a list beyond the cap, the tasks that are complete count.
        """
        try:
            outcome = await run_program(
                self._argv, prompt=b"", timeout_secs=self._timeout_secs, environ=self._environ
            )
        except ProgramError as error:
            raise TaskSourceError(str(error)) from error
        return self._tasks(outcome)

    def _tasks(self, outcome: Outcome) -> tuple[Task, ...]:
        program = Path(self._argv[0]).name
        if outcome.ending is Ending.TIMED_OUT:
            raise TaskSourceError(
                f"{program} was not done in {self._timeout_secs:g} s; {_printed(outcome)}"
            )
        is_cut = outcome.ending is Ending.TOO_MUCH and len(outcome.stdout) == STREAM_CAP_BYTES
        has_failed = outcome.exit_code != 0 and not is_cut
        try:
            entries = parse_entries(outcome.stdout, json_only=has_failed, is_cut=is_cut)
        except TaskSourceError as error:
            why = f" {outcome.how_it_ended}" if has_failed or is_cut else ""
            raise TaskSourceError(f"{program}{why}: {error}; {_printed(outcome)}") from error
        if has_failed:
            _log.warning("%s %s, but its JSON is valid and counts", program, outcome.how_it_ended)
        return tasks_of(self._name, entries)


def _printed(outcome: Outcome) -> str:
    """Quote the program: its complaints if there are any."""
    for stream in (outcome.stderr, outcome.stdout):
        if text := one_line(without_terminal_codes(stream.decode(errors="replace"))):
            return f"it printed: {text}"
    return "it printed nothing"

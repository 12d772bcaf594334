"""The task source that is Taskwarrior (2.6 or newer), asked through its own `task`."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import trio

from antidriftd.adapters.tasks.command import TIMEOUT_SECS, CommandTaskSource
from antidriftd.adapters.tasks.entries import MAX_TASKS
from antidriftd.adapters.tasks.port import TaskSourceError
from antidriftd.core.model import Task

PASSED_VARIABLES = ("TASKRC", "TASKDATA", "TZ")
"""What Taskwarrior reads besides what every program gets: its files, and when a day begins."""

# Nothing of the user's is changed by looking: no clean-up that renumbers, no recurring task made,
# no hook run. (Only a task whose `until` has passed is deleted, as by every other `task` call.)
_SETTINGS = (
    "rc.verbose=nothing",
    "rc.confirmation=off",
    "rc.hooks=off",
    "rc.gc=off",
    "rc.recurrence=off",
    # An object a line: of a list beyond the cap, the lines that are complete can be read.
    "rc.json.array=off",
)
_TODAY = "(+ACTIVE or due.before:tomorrow or scheduled.before:tomorrow)"
# Most urgent first, as in `task next`: urgency is what the user has tuned, and it already counts
# that a task is running.
_REPORT = (
    "rc.report.antidrift.columns=uuid",
    "rc.report.antidrift.sort=urgency-",
    f"rc.report.antidrift.filter=status:pending -WAITING {_TODAY} limit:{MAX_TASKS}",
)


class TaskwarriorTaskSource:
    """Lists what is running, or due or scheduled by the end of today."""

    def __init__(
        self, program: str, *, environ: Mapping[str, str], timeout_secs: float = TIMEOUT_SECS
    ) -> None:
        """Take the absolute path of `task` and all the environment it gets, HOME among it."""
        self._environ = environ
        self._timeout_secs = timeout_secs
        self._thread = trio.CapacityLimiter(1)
        self._source = CommandTaskSource(
            "taskwarrior",
            [program, *_SETTINGS, *_REPORT, "export", "antidrift"],
            environ=environ,
            timeout_secs=timeout_secs,
        )

    async def fetch(self) -> tuple[Task, ...]:
        """Return the tasks, most urgent first; see `TaskSource.fetch`.

        A Taskwarrior that was never used is not run: it would make its files.
        """
        places = _taskrc_places(self._environ)
        try:
            with trio.fail_after(self._timeout_secs):
                is_set_up = await trio.to_thread.run_sync(
                    _is_any_there, places, limiter=self._thread, abandon_on_cancel=True
                )
        except trio.TooSlowError as error:
            why = f"the disk gave no answer in {self._timeout_secs:g} s"
            raise TaskSourceError(f"cannot look for {places[0]}: {why}") from error
        if not is_set_up:
            looked = " and no ".join(map(str, places))
            raise TaskSourceError(
                f"Taskwarrior is not set up, there is no {looked}: run `task` once in a terminal"
            )
        return await self._source.fetch()


def _taskrc_places(environ: Mapping[str, str]) -> list[Path]:
    """Return where Taskwarrior looks for its configuration (task(1), FILES)."""
    if named := environ.get("TASKRC"):
        return [Path(named)]
    home = Path(environ["HOME"])
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    return [home / ".taskrc", config / "task" / "taskrc"]


def _is_any_there(places: Iterable[Path]) -> bool:
    return any(os.access(place, os.F_OK) for place in places)

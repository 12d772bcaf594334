"""The task source that is a todo.txt file, read afresh each time and never written."""

import os
import stat
from collections.abc import Callable
from datetime import date
from pathlib import Path

import trio

from antidriftd.adapters.tasks.command import TIMEOUT_SECS
from antidriftd.adapters.tasks.entries import tasks_of
from antidriftd.adapters.tasks.port import TaskSourceError
from antidriftd.adapters.tasks.text import one_line
from antidriftd.adapters.tasks.todotxt_lines import todays_entries
from antidriftd.core.model import Task

MAX_FILE_BYTES = 1024 * 1024

_MAX_MESSAGE_CHARS = 512
_THREADS = 2


class TodotxtTaskSource:
    """Lists what of a todo.txt file is for today; see `todays_entries`."""

    def __init__(
        self, path: Path, *, utc: Callable[[], float], timeout_secs: float = TIMEOUT_SECS
    ) -> None:
        """Take the file, and a clock that returns seconds since 1970: the zone is the system's."""
        self._path = path
        self._utc = utc
        self._timeout_secs = timeout_secs
        # Threads of its own: those that a dead network drive holds must not be missed elsewhere.
        self._threads = trio.CapacityLimiter(_THREADS)

    async def fetch(self) -> tuple[Task, ...]:
        """Return the tasks; see `TaskSource.fetch`."""
        today = date.fromtimestamp(self._utc())
        try:
            with trio.fail_after(self._timeout_secs):
                return await trio.to_thread.run_sync(
                    _fetch, self._path, today, limiter=self._threads, abandon_on_cancel=True
                )
        except trio.TooSlowError as error:
            raise self._unreadable(
                f"the disk gave no answer in {self._timeout_secs:g} s"
            ) from error
        except OSError as error:
            raise self._unreadable(error.strerror or str(error)) from error
        except ValueError as error:  # a path that no file can have
            raise self._unreadable(str(error)) from error

    def _unreadable(self, why: str) -> TaskSourceError:
        return TaskSourceError(one_line(f"cannot read {self._path}: {why}", _MAX_MESSAGE_CHARS))


def _fetch(path: Path, today: date) -> tuple[Task, ...]:
    text = _read(path).decode("utf-8-sig", errors="replace")
    return tasks_of("todotxt", todays_entries(text, today))


def _read(path: Path) -> bytes:
    # A FIFO or a device in its place must not block.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "it is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(MAX_FILE_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > MAX_FILE_BYTES:
        raise OSError(0, f"it is larger than {MAX_FILE_BYTES // 1024} KiB")
    return data

"""A terminal with the client or a shell in it, and somebody who types."""

import os
import pty
import select
import subprocess
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from tests.cli.fake_daemon import PATIENCE_SECS, command

_ONE_PRESS_SECS = 2


class Place(Protocol):
    """Where a daemon is: a fake one, or the home of a real one."""

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment in which a client finds it."""


class Terminal:
    """A terminal with a program in it."""

    def __init__(self, descriptor: int, process: subprocess.Popen[bytes]) -> None:
        self._descriptor = descriptor
        self.process = process
        self.seen = b""

    def wait_for(self, text: bytes) -> None:
        """Read until `text` has been seen."""
        while text not in self.seen:
            self.read()

    def exit_code(self) -> int:
        """Read on to the end (a process doesn't end before its output is taken), and wait."""
        with suppress(OSError):  # EIO: nobody has the terminal open any more
            while data := os.read(self._descriptor, 4096):
                self.seen += data
        return self.process.wait(PATIENCE_SECS)

    def interrupt(self) -> int:
        """Press Ctrl-C until the client ends, and return its exit code.

        One that comes just before Python waits for a line is noticed only with the next.
        """
        for _ in range(PATIENCE_SECS):
            self.type(b"\x03")
            if self._ends_soon():
                break
        return self.exit_code()

    def _ends_soon(self) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(_ONE_PRESS_SECS)
        return self.process.poll() is not None

    def read(self) -> bytes:
        """Return what comes next."""
        ready, _, _ = select.select([self._descriptor], [], [], PATIENCE_SECS)
        assert ready, self.seen
        data = os.read(self._descriptor, 4096)
        self.seen += data
        return data

    def is_quiet(self, secs: float) -> bool:
        """Return whether nothing comes for so long."""
        ready, _, _ = select.select([self._descriptor], [], [], secs)
        return not ready

    def resize(self, columns: int, lines: int) -> None:
        """Change its size, which the client is told."""
        termios.tcsetwinsize(self._descriptor, (lines, columns))

    def hang_up(self) -> None:
        """Close it, as a window that is closed."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, self._descriptor)
        os.close(nowhere)

    def mode(self) -> list[Any]:
        """Return how it treats what is typed, as `tcgetattr` gives it."""
        return termios.tcgetattr(self._descriptor)

    def type(self, keys: bytes) -> None:
        """Press some keys."""
        os.write(self._descriptor, keys)


@contextmanager
def open_in_terminal(
    line: Sequence[str],
    environ: Mapping[str, str],
    *,
    directory: str | None = None,
    size: tuple[int, int] = (80, 24),
) -> Iterator[Terminal]:
    """Run a command line in a terminal of its own, of so many columns and lines."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, size[::-1])
    with subprocess.Popen(
        ["setsid", "--ctty", "--wait", *line],
        env=dict(environ),
        cwd=directory,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        try:
            yield Terminal(ours, process)
        finally:
            process.kill()
            os.close(ours)


@contextmanager
def open_terminal(
    daemon: Place,
    *args: str,
    then: str = "",
    size: tuple[int, int] = (80, 24),
    **variables: str,
) -> Iterator[Terminal]:
    """Run the client in a terminal of its own, with `variables` in its environment.

    `then` is what a shell does with its output, and `size` how many columns and lines there are.
    """
    line = command(*args)
    if then:
        line = ["bash", "-o", "pipefail", "-c", f'"$@" {then}', "bash", *line]
    with open_in_terminal(line, {**daemon.environ, **variables}, size=size) as terminal:
        yield terminal

"""Somebody who looks at `antidrift watch` in a terminal, and types."""

import os
import pty
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.cli.live.picture import Picture
from tests.cli.terminal import Place, Terminal, open_terminal

_LEFT = b"\x1b[?1049l"
"""Back to the usual screen."""


class Viewer:
    """What is in the terminal, and what can be done to it."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.picture = Picture()
        self.said_after = ""

    def wait_until(self, holds: Callable[[list[str]], bool]) -> list[str]:
        """Return the rows once they are as wanted; fails when nothing more comes."""
        while not holds(self.picture.rows()):
            self.picture.feed(self.terminal.read())
        return self.picture.rows()

    def sees(self, text: str) -> list[str]:
        """Return the rows once `text` is in one of them."""
        return self.wait_until(lambda rows: any(text in row for row in rows))

    def sees_time_pass(self, label: str) -> list[str]:
        """Return the rows once the one with `label` in it reads differently."""
        first = [row for row in self.sees(label) if label in row]
        return self.wait_until(
            lambda rows: [row for row in rows if label in row] not in ([], first)
        )

    def sees_no_more(self, text: str) -> list[str]:
        """Return the rows once `text` is in none of them."""
        return self.wait_until(lambda rows: bool(rows) and not any(text in row for row in rows))

    def end(self) -> int:
        """Return the exit code, once the client has ended by itself."""
        known = len(self.terminal.seen)
        code = self.terminal.exit_code()
        drawn, left, after = self.terminal.seen[known:].rpartition(_LEFT)
        self.picture.feed(drawn + left)
        self.said_after = after.decode()
        return code

    def terminal_is_restored(self) -> bool:
        """Return whether the shell that comes next finds everything as it was."""
        shown = {1049: False, 25: True, 7: True, 2004: False}
        return self.terminal.mode() == _usual_mode() and self.picture.modes == shown


def _usual_mode() -> list[Any]:
    """Return how a new terminal treats what is typed."""
    ours, theirs = pty.openpty()
    mode = termios.tcgetattr(ours)
    os.close(ours)
    os.close(theirs)
    return mode


@contextmanager
def open_viewer(
    daemon: Place, *args: str, size: tuple[int, int] = (80, 24), **variables: str
) -> Iterator[Viewer]:
    """Run `antidrift watch` in a terminal of `size` columns and lines."""
    given = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **variables}
    with open_terminal(daemon, "watch", *args, size=size, **given) as terminal:
        yield Viewer(terminal)

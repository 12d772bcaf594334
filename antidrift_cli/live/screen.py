"""The terminal as a screen: its mode while the view is on it, and what is written to it.

The control sequences are those of ECMA-48 and of xterm ("XTerm Control Sequences", DECSET).
"""

import os
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from rich.console import Console
from rich.text import Text

from antidrift_cli.output import silence

_KEYS: Final = 0
_SCREEN: Final = 1
_USUAL_SIZE: Final = os.terminal_size((80, 24))

_OTHER_SCREEN: Final = "\x1b[?1049h"
_SET_UP: Final = "\x1b[?25l\x1b[?7l\x1b[?2004h"
"""No cursor, nothing wraps, pastes are marked."""

_CLEAR: Final = "\x1b[H\x1b[2J"
_LEAVE: Final = "\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"


class Screen:
    """Shows rows, and writes only those that differ from what is there."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._shown: list[Text] = []
        self._mode = termios.tcgetattr(_KEYS)

    def size(self) -> os.terminal_size:
        """Return columns and lines; a terminal that doesn't know has the usual ones."""
        size = os.get_terminal_size(_SCREEN)
        return size if size.columns and size.lines else _USUAL_SIZE

    def keys(self) -> bytes:
        """Return what was typed; nothing when nobody can type any more."""
        return os.read(_KEYS, 1024)

    def enter(self) -> None:
        """Take the terminal over as it is now; `leave` gives it back so."""
        self._mode = termios.tcgetattr(_KEYS)
        _write(_OTHER_SCREEN)
        self.take_over()

    def take_over(self) -> None:
        """Set the mode again, and forget what is shown: somebody else may have drawn."""
        mode = termios.tcgetattr(_KEYS)
        mode[0] &= ~termios.IXON  # Ctrl-S must not stop what we write
        mode[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(_KEYS, termios.TCSANOW, mode)
        _write(_SET_UP)
        self.clear()

    def clear(self) -> None:
        """Forget what is shown, so that the next rows are all written."""
        self._shown = []
        _write(_CLEAR)

    def leave(self) -> None:
        """Give the terminal back, if it is still there."""
        try:
            _write(_LEAVE)
        except OSError:
            silence(sys.stdout)
        with suppress(termios.error):
            termios.tcsetattr(_KEYS, termios.TCSANOW, self._mode)

    def paint(self, rows: list[Text]) -> None:
        """Show `rows` from the top."""
        written = [
            # Cleared first: at the last column the cursor stays on what was written there.
            f"\x1b[{at + 1}H\x1b[K{self._encoded(row)}"
            for at, row in enumerate(rows)
            if at >= len(self._shown) or row != self._shown[at]
        ]
        if len(rows) < len(self._shown):
            written.append(f"\x1b[{len(rows) + 1}H\x1b[J")
        if written:
            _write("".join(written))
        self._shown = rows

    def _encoded(self, row: Text) -> str:
        with self._console.capture() as capture:
            self._console.print(row, end="", soft_wrap=True)
        return capture.get()


@contextmanager
def open_screen() -> Iterator[Screen]:
    """Take the terminal over until the context is left, however that comes."""
    screen = Screen()
    try:
        screen.enter()
        yield screen
    finally:
        screen.leave()


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()

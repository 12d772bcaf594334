"""A screen without a window manager: windows that come to the front and change their titles."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from Xlib import X, Xatom, display
from Xlib.xobject import drawable

CLASSES = ("Code", "Reader")
"""Of the windows in turn; a session under measurement allows the first."""


def title_of(number: int) -> str:
    """Return the title of a window; none is the beginning of another."""
    return f"page {number}."


class Screen:
    """Plays the window manager and the programs on a display, by the properties of EWMH.

    The numbers of the names are asked for beforehand, so that a change is a single request.
    """

    def __init__(self, display_name: str, windows: int = 20) -> None:
        self._display = display.Display(display_name)
        self._active = self._display.intern_atom("_NET_ACTIVE_WINDOW")
        self._name = self._display.intern_atom("_NET_WM_NAME")
        self._utf8 = self._display.intern_atom("UTF8_STRING")
        self._root = self._display.screen().root
        depth = self._display.screen().root_depth
        self._windows = [self._root.create_window(0, 0, 9, 9, 0, depth) for _ in range(windows)]
        for number, window in enumerate(self._windows):
            window.set_wm_class(CLASSES[number % 2].lower(), CLASSES[number % 2])
            self.retitle(number, title_of(number))
        self.focus(0)
        self._display.sync()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._display.close()

    @property
    def windows(self) -> int:
        """How many windows there are; `title_of` gives their titles."""
        return len(self._windows)

    def focus(self, number: int) -> float:
        """Bring a window to the front; return the moment just before."""
        return self._change(self._root, self._active, Xatom.WINDOW, 32, [self._windows[number].id])

    def retitle(self, number: int, title: str) -> float:
        """Give a window another title; return the moment just before."""
        return self._change(self._windows[number], self._name, self._utf8, 8, title.encode())

    def _change(
        self, window: drawable.Window, name: int, kind: int, bits: int, value: bytes | list[int]
    ) -> float:
        before = time.perf_counter()
        window.change_property(name, kind, bits, value, X.PropModeReplace)
        self._display.flush()
        return before

    @contextmanager
    def grabbed(self) -> Iterator[None]:
        """Have the server answer nobody else meanwhile."""
        self._display.grab_server()
        self.sync()
        try:
            yield
        finally:
            self._display.ungrab_server()
            self.sync()

    def sync(self) -> None:
        """Wait until the server has done all that was asked for."""
        self._display.sync()

"""The sensor program for X11: tells which window is in front, and how long ago input was.

Event-driven: it asks only when the server has said that something changed or that somebody is back,
and for a sign of life. One blocking connection in one process is safe here because the daemon ends
a program that has gone silent.
"""

import select
from collections.abc import Iterable
from typing import Any, NamedTuple

from Xlib import X, Xatom, error
from Xlib.protocol import display, request

from antidriftd.adapters.windows.ewmh import decode_class, decode_title, decode_window_id
from antidriftd.adapters.windows.ewmh_support import names_active_window
from antidriftd.adapters.windows.heartbeat import Heartbeat
from antidriftd.adapters.windows.program import (
    NO_WINDOW,
    Printer,
    Record,
    run_program,
    window_record,
)
from antidriftd.adapters.windows.x11_input import LastInput
from antidriftd.adapters.windows.x11_property import PropertyRequest
from antidriftd.adapters.windows.x11_return import ReturnAlarm

# A small buffer bounds how many events one read takes in, so a flood can't delay the next look.
_RECV_BYTES = 4096

NO_WINDOW_MANAGER = "no window manager names the active window"


class Connection(display.Display):
    """A connection to the X server that speaks the core protocol only.

    python-xlib's full Display loads the RandR extension, which registers its error classes over the
    core's codes 0 to 2; a plain BadValue then breaks the library for good. Without extensions, and
    with error classes of our own, that can't happen. It also saves memory and round trips.
    """

    error_classes = error.xerror_class.copy()

    def __init__(self) -> None:
        super().__init__()
        self.recv_buffer_size = _RECV_BYTES
        # Requests without a reply fail when their window has just died; reads notice that too.
        self.set_error_handler(lambda _error, _request: None)

    @property
    def default_root(self) -> int:
        """The root window of the screen that the display's name stands for."""
        root: int = self.info.roots[self.get_default_screen()].root
        return root

    def get_resource_class(self, class_name: str, default: Any = None) -> Any:
        """Return `default`, so that windows stay plain numbers."""
        return default

    def take_events(self) -> list[Any]:
        """Return the events that have arrived: those of one read, and those of replies before."""
        return [self.next_event() for _ in range(self.pending_events())]

    def watch_properties(self, window: int, *, wanted: bool = True) -> None:
        """Ask to be told of changes to properties, or no longer; sent with the next read."""
        mask = X.PropertyChangeMask if wanted else X.NoEventMask
        this: Any = self  # the library's type stubs ask for its full Display here
        request.ChangeWindowAttributes(display=this, window=window, attrs={"event_mask": mask})


def open_connection() -> Connection:
    """Return a connection to the display that the environment names.

    Raises:
        ConnectionError: its server can't be reached or refuses; the message is for a person.
    """
    try:
        return Connection()
    except error.DisplayConnectionError as problem:
        why: Any = problem.msg  # bytes when the server itself has said why
        if isinstance(why, bytes):
            why = why.decode("iso8859-1")
        raise ConnectionError(f"can't open X display {problem.display}: {why}") from problem


class Atoms(NamedTuple):
    """The server's numbers for names; only good for the connection that they were asked on."""

    active_window: int
    net_wm_name: int
    utf8_string: int
    compound_text: int


def intern_atoms(connection: Connection) -> Atoms:
    """Return the atoms, asked for in one round trip."""
    names = ("_NET_ACTIVE_WINDOW", "_NET_WM_NAME", "UTF8_STRING", "COMPOUND_TEXT")
    replies = [
        request.InternAtom(display=connection, defer=True, name=name, only_if_exists=False)
        for name in names
    ]
    for reply in replies:
        reply.reply()
    return Atoms(*(reply.atom for reply in replies))


class FrontWindow:
    """The window in front on a connection's screen, kept up to date by events."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._root = connection.default_root
        self._atoms = intern_atoms(connection)
        self._type_names = {
            Xatom.STRING: "STRING",
            self._atoms.utf8_string: "UTF8_STRING",
            self._atoms.compound_text: "COMPOUND_TEXT",
        }
        self._text_atoms = {Xatom.WM_CLASS, self._atoms.net_wm_name, Xatom.WM_NAME}
        self._window = 0
        connection.watch_properties(self._root)

    def look(self, printer: Printer) -> None:
        """Find out which window is in front and tell of it: two round trips."""
        self._find(self._ask_active(), printer)
        self.look_at_texts(printer)

    def look_again(self, printer: Printer) -> None:
        """Find out whether the window known to be in front still is: one round trip if so.

        It also finds what no event tells, such as a window that died while no window manager was
        there to name another.
        """
        active = self._ask_active()
        known, texts = self._window, self._ask_texts()
        self._find(active, printer)
        if self._window == known:
            printer.window(self._describe(texts))
        else:
            self.look_at_texts(printer)

    def look_at_texts(self, printer: Printer) -> None:
        """Tell of the window known to be in front: one round trip, none when there is none."""
        printer.window(self._describe(self._ask_texts()))

    def changes(self, events: Iterable[Any]) -> tuple[bool, bool]:
        """Return whether another window came in front, and whether its texts changed."""
        focus = texts = False
        for event in events:
            if event.type == X.PropertyNotify:
                focus |= event.window == self._root and event.atom == self._atoms.active_window
                texts |= event.window == self._window and event.atom in self._text_atoms
        return focus, texts

    def _find(self, active: PropertyRequest, printer: Printer) -> None:
        """Take in which window is in front."""
        window = decode_window_id(active.wait(self._type_names))
        is_told = window is not None or names_active_window(self._connection, self._root)
        printer.detail("" if is_told else NO_WINDOW_MANAGER)
        self._follow(window or 0)

    def _follow(self, window: int) -> None:
        """Watch `window` instead of the one before; before it is read, or changes get lost."""
        # The root is watched for good, so it can't be a window in front that comes and goes.
        window = 0 if window == self._root else window
        if window != self._window:
            if self._window:
                self._connection.watch_properties(self._window, wanted=False)
            if window:
                self._connection.watch_properties(window)
            self._window = window

    def _ask_active(self) -> PropertyRequest:
        return PropertyRequest(self._connection, self._root, self._atoms.active_window)

    def _ask_texts(self) -> list[PropertyRequest]:
        if not self._window:
            return []
        atoms = (Xatom.WM_CLASS, self._atoms.net_wm_name, Xatom.WM_NAME)
        return [PropertyRequest(self._connection, self._window, atom) for atom in atoms]

    def _describe(self, texts: list[PropertyRequest]) -> Record:
        if not texts:
            return NO_WINDOW
        try:
            wm_class, net_wm_name, wm_name = (each.wait(self._type_names) for each in texts)
        except error.XError:
            # Closed since it was named in front (ActivityWatch/aw-watcher-window#19).
            self._window = 0
            return NO_WINDOW
        instance, window_class = decode_class(wm_class)
        return window_record(window_class, decode_title(net_wm_name, wm_name), instance)


def watch(printer: Printer) -> None:
    """Tell of the window in front, and of input, until the X connection or the reader is gone.

    The proof of life is a fresh look, so it takes a round trip.
    """
    connection = open_connection()
    last_input = LastInput(connection, connection.default_root)
    returns = ReturnAlarm(connection)
    front = FrontWindow(connection)
    heartbeat = Heartbeat()
    beats = heartbeat.fileno()
    focus = texts = False
    sign_due = True
    while True:
        if sign_due:
            last_input.ask()
        if focus:
            front.look(printer)
        elif sign_due:
            front.look_again(printer)
        elif texts:
            front.look_at_texts(printer)
        if sign_due:
            printer.alive(last_input.idle_secs())
        # A round trip may have queued events already, and then the socket stays quiet: take them
        # before waiting. One look answers for all that have arrived.
        events = connection.take_events()
        focus, texts = front.changes(events)
        sign_due = returns.is_told(events)
        wait_secs = 0 if focus or texts or sign_due else None
        if beats in select.select([connection.fileno(), beats], [], [], wait_secs)[0]:
            heartbeat.take()
            sign_due = True


if __name__ == "__main__":
    run_program(watch)

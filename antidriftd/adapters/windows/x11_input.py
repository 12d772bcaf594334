"""How long ago a key or the mouse was touched, as an X server's screen saver counts it."""

from typing import Any

from Xlib import error
from Xlib.ext import screensaver
from Xlib.protocol import display, request


class LastInput:
    """The time since the last input on a connection's server, asked for without waiting.

    What is asked goes out with whatever request waits for its reply next, so it costs a round trip
    only when there is none. Servers without the extension MIT-SCREEN-SAVER, such as XWayland, don't
    tell; python-xlib raises KeyError there when asked by its own `query_info`.
    """

    def __init__(self, connection: display.Display, root: int) -> None:
        self._connection = connection
        self._root = root
        self._extension = request.QueryExtension(
            display=connection, defer=True, name=screensaver.extname
        )
        self._asked: screensaver.QueryInfo | None = None

    def ask(self) -> None:
        """Ask for the time now; sent with the next read."""
        self._extension.reply()
        if self._extension.present:
            self._asked = screensaver.QueryInfo(
                display=self._connection,
                defer=True,
                opcode=self._extension.major_opcode,
                drawable=self._root,
            )

    def idle_secs(self) -> float | None:
        """Return how long ago the last input was when asked; None when the server doesn't tell."""
        asked: Any = self._asked  # the library's type stubs know no member of a reply
        if asked is None:
            return None
        try:
            asked.reply()
        except error.XError:
            # A security policy may refuse it; windows can be seen all the same.
            return None
        idle_ms: int = asked.idle
        return idle_ms / 1000

"""The X11 sensor: which display to watch, and when watching it is of any use."""

import re
import socket
from typing import Final, Literal

import trio

from antidriftd.adapters.windows.child import SILENCE_SECS, SensorProgram, keep_running
from antidriftd.adapters.windows.port import WindowSink
from antidriftd.adapters.windows.report import SensorReport
from antidriftd.core.model import Display

NO_DISPLAY: Final = (
    "no X display is known; run any antidrift command from a terminal on the desktop"
)
WAYLAND: Final = (
    "this is a Wayland session, where X11 goes on naming windows that are no longer in front; "
    "so windows are not watched"
)

_LOCAL_NAME: Final = re.compile(r":(?P<number>[0-9]{1,5})(?:\.[0-9]{1,5})?")
_SOCKET_PREFIX: Final = "/tmp/.X11-unix/X"  # noqa: S108  # where every X server puts its socket


class X11WindowSensor:
    """Watches the window in front on an X display, through a program of its own.

    A lost display is looked for again until it is back. In a Wayland session nothing is watched:
    XWayland knows only X windows, and names a stale one (hyprwm/Hyprland#6468).
    """

    def __init__(
        self,
        display: Display | None,
        wayland: bool,
        name: Literal["x11", "auto"],
        *,
        silence_secs: float = SILENCE_SECS,
    ) -> None:
        """Watch `display` when run.

        Args:
            display: the display to watch; None or one without a name when none is known yet.
            wayland: whether this is a Wayland session.
            name: what the sensor is called while it has no working display.
            silence_secs: how long a server may leave the program waiting.
        """
        self._display = display if display and display.name else None
        self._wayland = wayland
        self._name = name
        self._silence_secs = silence_secs
        self._report: SensorReport | None = None
        self._watching = trio.CancelScope()

    async def run(self, sink: WindowSink) -> None:
        """Report to `sink` until cancelled."""
        self._report = SensorReport(
            sink, name="x11", unavailable_name=self._name, takes_display=True
        )
        while True:
            with trio.CancelScope() as self._watching:
                await self._watch(self._report)

    def use_display(self, display: Display) -> None:
        """Take a local display (`:N` or `:N.S`) that a client offered, while none works.

        While a display is known that doesn't answer, only one that does takes its place: shells in
        a terminal multiplexer go on offering a display that is long gone.
        """
        if self._wayland or (self._report and self._report.ok) or display == self._display:
            return
        if display.session_type == "wayland":
            self._wayland = True
        elif self._would_help(display.name):
            self._display = display
        else:
            return
        self._watching.cancel()

    def _would_help(self, name: str) -> bool:
        local = _LOCAL_NAME.fullmatch(name) is not None
        return local and (self._display is None or not _why_unreachable(name))

    async def _watch(self, report: SensorReport) -> None:
        """Report on the display known now; cancelled when there is another."""
        if self._wayland:
            report.fails(WAYLAND, is_wayland=True)
            await trio.sleep_forever()
        if self._display is None:
            report.fails(NO_DISPLAY)
            await trio.sleep_forever()
        name = self._display.name
        variables = {"DISPLAY": name, "XAUTHORITY": self._display.xauthority}
        program = SensorProgram(
            "antidriftd.adapters.windows.x11",
            variables={variable: value for variable, value in variables.items() if value},
        )
        report.fails(f"connecting to X display {name}")
        await keep_running(
            program,
            report,
            obstacle=lambda: _why_unreachable(name),
            silence_secs=self._silence_secs,
        )


def _why_unreachable(display_name: str) -> str:
    """Return why a display can't be there; empty when its server takes connections, or may do.

    Costs far less than starting a program to find out, and never waits: a Unix socket connects at
    once or not at all.
    """
    local = _LOCAL_NAME.fullmatch(display_name)
    if not local:
        return ""
    path = _SOCKET_PREFIX + local["number"]
    # Servers also listen under the abstract name, which outlives a cleaned up /tmp.
    if _accepts(path) or _accepts("\0" + path):
        return ""
    return f"X display {display_name} does not answer; waiting for it to come back"


def _accepts(address: str) -> bool:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.setblocking(False)
            probe.connect(address)
    except OSError:
        return False
    return True

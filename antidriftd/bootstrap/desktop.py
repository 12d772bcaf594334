"""What sees and tells on the desktop."""

from collections.abc import Mapping

from antidriftd.adapters.notifications.dbus import DBusNotifier
from antidriftd.adapters.notifications.none import NoNotifier
from antidriftd.adapters.notifications.port import Notifier
from antidriftd.adapters.presence.desktop import DesktopPresenceWatcher
from antidriftd.adapters.windows.none import NoWindowSensor
from antidriftd.adapters.windows.port import WindowSensor
from antidriftd.adapters.windows.replay_sensor import ReplayWindowSensor, parse_replay_spec
from antidriftd.adapters.windows.x11_sensor import X11WindowSensor
from antidriftd.core.model import Display
from antidriftd.dbus.addresses import session_bus_address, system_bus_address
from antidriftd.settings.keys import REPLAY_PREFIX
from antidriftd.settings.loading import Settings


def make_notifier(settings: Settings, environ: Mapping[str, str]) -> Notifier:
    """Return what tells a person something; nothing does when that is switched off."""
    if not settings.notify_enabled:
        return NoNotifier()
    return DBusNotifier(session_bus_address(environ))


def make_presence(environ: Mapping[str, str]) -> DesktopPresenceWatcher:
    """Return what hears of locked screens and of sleep."""
    return DesktopPresenceWatcher(
        system_bus_address(environ),
        session_bus_address(environ),
        environ.get("XDG_SESSION_ID", ""),
    )


def make_sensor(
    settings: Settings, environ: Mapping[str, str], remembered: Display | None
) -> WindowSensor:
    """Return what sees the window in front; `remembered` is a display that a client offered.

    Raises:
        ValueError: the recording that is named can't be played.
    """
    if settings.sensor.startswith(REPLAY_PREFIX):
        path, speed = parse_replay_spec(settings.sensor.removeprefix(REPLAY_PREFIX))
        return ReplayWindowSensor(path, speed)
    if settings.sensor == "none":
        return NoWindowSensor()
    session_type = environ.get("XDG_SESSION_TYPE", "")
    own = Display(environ.get("DISPLAY", ""), environ.get("XAUTHORITY", ""), session_type)
    return X11WindowSensor(
        own if own.name else remembered,
        wayland=bool(environ.get("WAYLAND_DISPLAY")) or session_type == "wayland",
        name="x11" if settings.sensor == "x11" else "auto",
    )

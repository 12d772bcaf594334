"""Where the bus of the user's session listens."""

import os
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import quote, unquote_to_bytes

from antidriftd.adapters.notifications.port import NotificationError


def session_bus_address(environ: Mapping[str, str]) -> str:
    """Return the address of the session bus; empty when none is known.

    Without `DBUS_SESSION_BUS_ADDRESS` it is where systemd puts it (systemd's user@.service(5)).
    """
    runtime_dir = environ.get("XDG_RUNTIME_DIR", "")
    if address := environ.get("DBUS_SESSION_BUS_ADDRESS", ""):
        return address
    if not PurePosixPath(runtime_dir).is_absolute():
        return ""
    return f"unix:path={quote(os.fsencode(runtime_dir))}/bus"


def socket_path(address: str) -> str:
    r"""Return the path of the first Unix socket in `address`; an abstract one begins with `\0`.

    Its form is described in the D-Bus Specification, "Server Addresses".

    Raises:
        NotificationError: there is no address, or no Unix socket in it.
    """
    if not address:
        raise NotificationError(
            "no session bus is known; set DBUS_SESSION_BUS_ADDRESS, or start antidriftd from the "
            "desktop session"
        )
    for entry in address.split(";"):
        transport, _, settings = entry.partition(":")
        values = dict(setting.partition("=")[::2] for setting in settings.split(","))
        if transport == "unix" and values.get("path"):
            return _unescaped(values["path"])
        if transport == "unix" and values.get("abstract"):
            return "\0" + _unescaped(values["abstract"])
    raise NotificationError(
        "DBUS_SESSION_BUS_ADDRESS names no Unix socket; it should look like "
        "unix:path=/run/user/1000/bus"
    )


def _unescaped(value: str) -> str:
    return os.fsdecode(unquote_to_bytes(os.fsencode(value)))

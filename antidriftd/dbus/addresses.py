"""Where the message buses listen."""

import os
from collections.abc import Mapping
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Literal
from urllib.parse import quote, unquote_to_bytes

from antidriftd.dbus.errors import NoBus

BusKind = Literal["session", "system"]
"""The bus of the user's desktop, or that of the machine."""


_VARIABLES: Mapping[BusKind, str] = MappingProxyType(
    {"session": "DBUS_SESSION_BUS_ADDRESS", "system": "DBUS_SYSTEM_BUS_ADDRESS"}
)
_EXAMPLES: Mapping[BusKind, str] = MappingProxyType(
    {
        "session": "unix:path=/run/user/1000/bus",
        "system": "unix:path=/run/dbus/system_bus_socket",
    }
)


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


def system_bus_address(environ: Mapping[str, str]) -> str:
    """Return the address of the system bus (the D-Bus Specification, "System message bus")."""
    return environ.get("DBUS_SYSTEM_BUS_ADDRESS", "") or "unix:path=/run/dbus/system_bus_socket"


def socket_path(address: str, kind: BusKind) -> str:
    r"""Return the path of the first Unix socket in `address`; an abstract one begins with `\0`.

    Its form is described in the D-Bus Specification, "Server Addresses".

    Raises:
        NoBus: there is no address, or no Unix socket in it.
    """
    if not address:
        raise NoBus(
            f"no {kind} bus is known; set {_VARIABLES[kind]}, or start antidriftd from the "
            "desktop session"
        )
    for entry in address.split(";"):
        transport, _, settings = entry.partition(":")
        values = dict(setting.partition("=")[::2] for setting in settings.split(","))
        if transport == "unix" and values.get("path"):
            return _unescaped(values["path"])
        if transport == "unix" and values.get("abstract"):
            return "\0" + _unescaped(values["abstract"])
    raise NoBus(f"{_VARIABLES[kind]} names no Unix socket; it should look like {_EXAMPLES[kind]}")


def _unescaped(value: str) -> str:
    return os.fsdecode(unquote_to_bytes(os.fsencode(value)))

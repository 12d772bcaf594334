"""Whether a window manager is there that would name the active window, were there one."""

import struct

from Xlib import error
from Xlib.protocol import display, request

from antidriftd.adapters.windows.x11_property import PropertyRequest


def names_active_window(connection: display.Display, root: int) -> bool:
    """Return whether a window manager is running that says it sets `_NET_ACTIVE_WINDOW`.

    Some take that property away while no window is active, dwm for one. The window that
    `_NET_SUPPORTING_WM_CHECK` of the root names is the window manager's, and has the same property
    with its own number, lest it be one that a dead window manager left behind; what it sets is
    listed in `_NET_SUPPORTED` (EWMH 1.5, "Root Window Properties").
    """
    check, supported, active = (
        request.InternAtom(display=connection, name=name, only_if_exists=False).atom
        for name in ("_NET_SUPPORTING_WM_CHECK", "_NET_SUPPORTED", "_NET_ACTIVE_WINDOW")
    )
    if active not in _numbers(connection, root, supported):
        return False
    owner = _numbers(connection, root, check)
    return bool(owner) and _numbers(connection, owner[0], check) == owner


def _numbers(connection: display.Display, window: int, atom: int) -> list[int]:
    """Return the windows or atoms in a property; none of a window that is gone."""
    try:
        found = PropertyRequest(connection, window, atom).wait({})
    except error.XError:
        return []
    if found is None or found.format != 32:
        return []
    return [number for (number,) in struct.iter_unpack("=I", found.value)]

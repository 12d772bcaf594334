"""Whether a window manager is there that would name the active window, were there one."""

from Xlib import X, error
from Xlib.protocol import display, request

_MAX_NUMBERS = 1024


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
        reply = request.GetProperty(
            display=connection,
            delete=False,
            window=window,
            property=atom,
            type=X.AnyPropertyType,
            long_offset=0,
            long_length=_MAX_NUMBERS,
        )
    except error.XError:
        return []
    return list(reply.value[1]) if reply.value and reply.value[0] == 32 else []

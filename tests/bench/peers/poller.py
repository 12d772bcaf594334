"""What Antidrift is not: a window watcher that looks once a second.

It reads what aw-watcher-window of ActivityWatch reads at its default `poll_time`.
"""

import time

from Xlib import X, Xatom, display

POLL_SECS = 1.0


def main() -> None:
    """Print a line when another window is in front, or its title is another."""
    connection = display.Display()
    root = connection.screen().root
    active, name = (connection.intern_atom(n) for n in ("_NET_ACTIVE_WINDOW", "_NET_WM_NAME"))
    told = None
    while True:
        front = root.get_full_property(active, Xatom.WINDOW)
        assert front
        window = connection.create_resource_object("window", front.value[0])
        title = window.get_full_property(name, X.AnyPropertyType)
        assert title
        seen = (window.get_wm_class(), title.value)
        if seen != told:
            told = seen
            print(seen, flush=True)
        time.sleep(POLL_SECS)


if __name__ == "__main__":
    main()

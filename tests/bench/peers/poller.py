"""What Antidrift is not: a window watcher that looks once a second.

It reads what aw-watcher-window of ActivityWatch reads (xlib.py and lib.py, as of 2026), at that
one's default `poll_time`, and sends it nowhere.
"""

import time
from collections.abc import Iterator

from Xlib import X, display

POLL_SECS = 1.0


def looks() -> Iterator[dict[str, str]]:
    """Yield what is in front, once a second."""
    connection = display.Display()
    root = connection.screen().root
    name, utf8 = (connection.intern_atom(each) for each in ("_NET_WM_NAME", "UTF8_STRING"))
    while True:
        active = connection.get_atom("_NET_ACTIVE_WINDOW")
        front = root.get_full_property(active, X.AnyPropertyType)
        assert front
        window = connection.create_resource_object("window", front.value[0])
        window_class = window.get_wm_class()
        title = window.get_full_property(name, utf8)
        assert window_class
        assert title
        assert isinstance(title.value, bytes)
        yield {"app": window_class[1], "title": title.value.decode()}
        time.sleep(POLL_SECS)


def main() -> None:
    """Print a line when another window is in front, or its title is another."""
    told: dict[str, str] = {}
    for seen in looks():
        if seen != told:
            told = seen
            print(seen, flush=True)


if __name__ == "__main__":
    main()

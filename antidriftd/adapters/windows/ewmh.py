"""Turns window properties into text; pure, and nothing here raises whatever the bytes are.

Which properties count is EWMH 1.5 (`_NET_ACTIVE_WINDOW`, `_NET_WM_NAME`) and ICCCM 2.0 section 4.1
(`WM_NAME`, `WM_CLASS`). What programs write there follows neither of them reliably.
"""

import sys
from typing import NamedTuple

from antidriftd.adapters.windows.compound_text import decode_compound_text
from antidriftd.adapters.windows.limits import MAX_CLASS_CHARS, MAX_TITLE_CHARS


class Property(NamedTuple):
    """A property as the X server holds it: its type's name, the bits of an item, the bytes."""

    type_name: str
    format: int
    value: bytes


def decode_window_id(active: Property | None) -> int | None:
    """Return the window that `_NET_ACTIVE_WINDOW` names, 0 for none, None when nothing is said."""
    if active is None or active.format != 32 or len(active.value) < 4:
        return None
    return int.from_bytes(active.value[:4], sys.byteorder)


def decode_title(net_wm_name: Property | None, wm_name: Property | None) -> str:
    """Return the title, at most 1,024 characters; empty only when both properties are."""
    title = _decode_net_wm_name(net_wm_name) or _decode(wm_name)
    return title[:MAX_TITLE_CHARS]


def decode_class(wm_class: Property | None) -> tuple[str, str]:
    """Return WM_CLASS as (instance, class), at most 256 characters each.

    A program that gives only its instance is known by that.
    """
    parts = [_decode(part).strip()[:MAX_CLASS_CHARS] for part in _parts(wm_class)]
    instance, window_class = (*parts, "", "")[:2]
    return instance, window_class or instance


def _decode_net_wm_name(name: Property | None) -> str:
    """Decode as UTF-8 unless marked as COMPOUND_TEXT: EWMH allows nothing else here.

    Stray bytes become U+FFFD; surrogateescape would fail later on the way to a socket or a file
    (ActivityWatch/aw-watcher-window#21).
    """
    if name is None or name.type_name == "COMPOUND_TEXT":
        return _decode(name)
    return _decode(name._replace(type_name="UTF8_STRING"))


def _decode(text: Property | None) -> str:
    """Decode the first part that isn't empty: window managers show a title up to its first NUL.

    Skipping empty parts keeps a stray NUL in front from hiding the title altogether.
    """
    value = next((part.value for part in _parts(text) if part.value), b"")
    match text.type_name if text else "":
        case "UTF8_STRING":
            return value.decode("utf-8", "replace")
        case "COMPOUND_TEXT":
            # Escape sequences alone decode to nothing, which must not pass for an empty title.
            return decode_compound_text(value) or "\ufffd" * bool(value)
        case _:
            return _decode_untold(value)


def _decode_untold(value: bytes) -> str:
    """Decode STRING, or a type that says nothing.

    ICCCM makes STRING Latin-1, yet many programs write UTF-8 there, and text that happens to be
    valid UTF-8 is hardly ever anything else.
    """
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("iso8859-1")


def _parts(text: Property | None) -> list[Property]:
    if text is None or text.format != 8:
        return []
    return [text._replace(value=part) for part in text.value.split(b"\0")]

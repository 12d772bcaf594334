"""The rules for text that a user gives: what is refused, and with which words."""

import unicodedata
from collections.abc import Iterable

from antidriftd.core.errors import TransitionRefused
from antidriftd.core.model import Allowance, AllowanceKind

MAX_TEXT_CHARS = 512
MAX_CLASS_CHARS = 256
MAX_TITLE_CHARS = 1024
MAX_NOTE_BYTES = 4096
MAX_ALLOWANCES = 200


def checked_text(what: str, text: str, *, max_chars: int = MAX_TEXT_CHARS) -> str:
    """Return `text` trimmed.

    Raises:
        TransitionRefused: it is blank, too long, or holds a control character.
    """
    if not text.strip():
        raise TransitionRefused("invalid_value", f"{what} is blank; give it some text")
    return _checked(what, text, max_chars)


def checked_optional_text(what: str, text: str) -> str:
    """Return `text` trimmed; it may be empty.

    Raises:
        TransitionRefused: it is too long or holds a control character.
    """
    return _checked(what, text, MAX_TEXT_CHARS)


def checked_note(note: str) -> str:
    """Return the note trimmed.

    Raises:
        TransitionRefused: it is over 4 KiB or holds a control character.
    """
    if len(note.encode("utf-8", "replace")) > MAX_NOTE_BYTES:
        raise TransitionRefused("invalid_value", "the note is longer than 4096 bytes; shorten it")
    return _checked("the note", note, MAX_NOTE_BYTES)


def checked_allowances(kind: AllowanceKind, values: Iterable[str]) -> tuple[Allowance, ...]:
    """Return the allowances, each once.

    Raises:
        TransitionRefused: one is blank (an empty title would match everything) or malformed.
    """
    what = "an allowed window class" if kind == "class" else "an allowed window title"
    max_chars = MAX_CLASS_CHARS if kind == "class" else MAX_TITLE_CHARS
    checked = [Allowance(kind, checked_text(what, value, max_chars=max_chars)) for value in values]
    return merged((), checked)


def merged(allowances: tuple[Allowance, ...], added: Iterable[Allowance]) -> tuple[Allowance, ...]:
    """Return `allowances` and what `added` brings that is new, in order.

    Raises:
        TransitionRefused: there would be more than 200 of them.
    """
    known = {(entry.kind, entry.value.casefold()): entry for entry in allowances}
    for entry in added:
        known.setdefault((entry.kind, entry.value.casefold()), entry)
    if len(known) > MAX_ALLOWANCES:
        message = f"more than {MAX_ALLOWANCES} allowed classes and titles; take some back first"
        raise TransitionRefused("invalid_value", message)
    return tuple(known.values())


def _checked(what: str, text: str, max_chars: int) -> str:
    text = text.strip()
    if len(text) > max_chars:
        message = f"{what} is {len(text)} characters long; at most {max_chars} are taken"
        raise TransitionRefused("invalid_value", message)
    for char in text:
        if unicodedata.category(char) in {"Cc", "Cs"}:
            message = f"{what} holds the control character U+{ord(char):04X}; leave it out"
            raise TransitionRefused("invalid_value", message)
    return text

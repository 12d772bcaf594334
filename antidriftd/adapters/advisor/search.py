"""Finds JSON objects in what a program printed, whatever stands around them."""

import json
import re
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")

# ECMA-48 control sequences (CSI), control strings (OSC, DCS, SOS, PM, APC) and two-byte escapes,
# each also with its one-byte C1 opening. A string that is not closed on its line is not one.
_TERMINAL_CODES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
    r"|[\x1b\ufeff]"
)
# How a word that did not fit on the line is taken back before it is printed again on the next
# (ollama/ollama#16785).
_TAKEN_BACK = re.compile(r"\x1b\[(\d{1,4})D\x1b\[K")
_MARKS = re.compile(r"<(/?)think(?:ing)?>|\{", re.IGNORECASE)
_THINKING_ENDS = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_OBJECT_BEGINS = re.compile(r'\{\s*"')
_STRING_OR_BRACE = re.compile(r'"(?:[^"\\]+|\\.)*"?|[{}]', re.DOTALL)


def find_objects(text: str, read: Callable[[object], _T | None]) -> list[_T]:
    """Return what `read` makes of each object in `text` that no other object holds.

    `read` returns None for an object of another kind. Greetings, Markdown fences, terminal codes
    and thinking blocks around an object do no harm; one inside a thinking block is none.
    """
    found = _outside_thinking(_TERMINAL_CODES.sub("", text), read)
    if not found and _TAKEN_BACK.search(text):
        found = _outside_thinking(_TERMINAL_CODES.sub("", _take_back(text)), read)
    return found


def find_nested_objects(text: str, read: Callable[[object], _T | None]) -> list[_T]:
    """Return what `read` makes of every object in `text`, wherever one begins."""
    values = (_read_object(text, match.start())[0] for match in re.finditer("{", text))
    return [found for value in values if (found := read(value)) is not None]


def _take_back(text: str) -> str:
    kept: list[str] = []
    end = 0
    for match in _TAKEN_BACK.finditer(text):
        kept.extend(text[end : match.start()])
        del kept[max(0, len(kept) - int(match[1])) :]
        end = match.end()
    return "".join(kept) + text[end:]


def _outside_thinking(text: str, read: Callable[[object], _T | None]) -> list[_T]:
    found: list[_T] = []
    position = 0
    while mark := _MARKS.search(text, position):
        position = mark.end()
        if mark[0] == "{":
            value, position = _read_object(text, mark.start())
            if (answer := read(value)) is not None:
                found.append(answer)
        elif mark[1]:
            found.clear()  # the block's opening was part of the prompt, so all before is thinking
        else:
            position = _end_of_thinking(text, position)
    return found


def _end_of_thinking(text: str, start: int) -> int:
    closing = _THINKING_ENDS.search(text, start)
    return closing.end() if closing else len(text)


def _read_object(text: str, start: int) -> tuple[object, int]:
    """Return the JSON object at `start`, None if it is not one, and where to read on.

    A broken object is passed over whole, so that what it holds is not taken for the answer; this
    also keeps the time linear.
    """
    if not _OBJECT_BEGINS.match(text, start):
        return None, start + 1
    end = _end_of_braces(text, start)
    try:
        return _JSON.decode(text[start:end]), end
    except (ValueError, RecursionError):
        return None, end


def _end_of_braces(text: str, start: int) -> int:
    depth = 0
    for match in _STRING_OR_BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse a member that is there twice: JSON does not say which of the two counts."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member is there twice")
    return members


# Not strict: models do put raw line breaks into strings.
_JSON = json.JSONDecoder(object_pairs_hook=_once_each, strict=False)

"""A contract as a text that a person edits: one `key: value` a line."""

from typing import Final

from antidrift_cli.durations import parse_secs
from antidrift_cli.errors import BadInput
from antidrift_cli.visible import visible
from protocol.methods import StartParams
from protocol.views import Proposal

_NEXT_ACTION: Final = "next action"
_DONE_WHEN: Final = "done when"
_TIMEBOX: Final = "timebox"
_CLASSES: Final = "allowed classes"
_KEYS: Final = (_NEXT_ACTION, _DONE_WHEN, _TIMEBOX, _CLASSES)

# Vim takes commands from the first and the last five lines of a file ("modeline" in its help), so
# nothing that others wrote may stand there.
_ABOVE: Final = """\
# What the coach proposes. Change what you like, save it and leave the editor:
# the session starts with what stands here then.
#
# To cancel, empty the file. Lines that begin with # don't count.
#
"""
_BELOW: Final = """\
#
# timebox: 25 (minutes), 25m, 90s or 1h30m.
# allowed classes: the programs that surely belong to it, by their window
# class, with commas between them. Any other window is judged.
# This and `done when` may be left empty.
"""


def contract_text(proposal: Proposal) -> str:
    """Return the text of a proposal, with what can't be seen in it written out."""
    values = {
        _NEXT_ACTION: proposal.next_action,
        _DONE_WHEN: proposal.success_condition,
        _TIMEBOX: _written(proposal.timebox_secs),
        _CLASSES: ", ".join(proposal.allowed_window_classes),
    }
    lines = (f"{key}: {visible(value)}".rstrip() + "\n" for key, value in values.items())
    return _ABOVE + "".join(lines) + _BELOW


def is_empty(text: str) -> bool:
    """Return whether nothing but comments is left."""
    return not _lines(text)


def parse_contract(text: str) -> StartParams:
    """Return what a contract says; its texts are the daemon's to check.

    Raises:
        BadInput: it can't be understood; the message names the line.
    """
    values: dict[str, str] = {}
    for number, line in _lines(text):
        key, colon, value = line.partition(":")
        key = " ".join(key.lower().split())
        if not colon or key not in _KEYS:
            raise BadInput(f"line {number} must begin with one of: {', '.join(_KEYS)}")
        if key in values:
            raise BadInput(f"line {number} is the second with `{key}`")
        values[key] = value.strip()
    for key in (_NEXT_ACTION, _TIMEBOX):
        if not values.get(key):
            raise BadInput(f"`{key}` is missing")
    classes = (name.strip() for name in values.get(_CLASSES, "").split(","))
    return StartParams(
        next_action=values[_NEXT_ACTION],
        success_condition=values.get(_DONE_WHEN, ""),
        timebox_secs=_secs(values[_TIMEBOX]),
        allowed_window_classes=tuple(name for name in classes if name),
    )


def _lines(text: str) -> list[tuple[int, str]]:
    """Return the lines that count, each with its number."""
    lines = enumerate(text.split("\n"), start=1)
    return [(number, line.strip()) for number, line in lines if _counts(line.strip())]


def _counts(line: str) -> bool:
    return bool(line) and not line.startswith("#")


def _written(secs: int) -> str:
    return f"{secs}s" if secs % 60 else f"{secs // 60}m"


def _secs(timebox: str) -> int:
    try:
        return parse_secs("".join(timebox.split()))
    except ValueError as error:
        raise BadInput(f"`{_TIMEBOX}`: {error}") from None

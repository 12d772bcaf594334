"""Reads the one answer of a program, or says why there is none; nothing is taken on trust."""

import unicodedata
from collections.abc import Callable
from typing import TypeVar

from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.advisor.search import find_nested_objects, find_objects
from antidriftd.core.model import Proposal, Verdict
from protocol.visible import one_line

MAX_PROPOSAL_CHARS = 512
"""How long each text of a proposal may be, as for a commitment given by hand."""

MAX_CLASSES = 20
MAX_CLASS_CHARS = 256
MAX_TIMEBOX_MINUTES = 1440

_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"

_T = TypeVar("_T")


def parse_verdict(text: str | bytes, *, untrusted: str = "") -> Verdict:
    """Return the one verdict in what a program printed.

    It is a JSON object `{"on_task": true|false|null, "reason": "..."}` that no other object holds;
    further members are ignored. Greetings, Markdown fences, terminal codes and thinking blocks
    around it do no harm. An answer that already stands in the `untrusted` text is an echo of that
    text, or obeys it, and does not count.

    Raises:
        AdvisorError: there is no such object, or there are two that differ.
    """
    return _parse("verdict", text, _as_verdict, untrusted)


def parse_proposal(text: str | bytes, *, untrusted: str = "") -> Proposal:
    """Return the one proposal in what a program printed; it is searched for as a verdict is.

    It is `{"next_action": "...", "success_condition": "...", "timebox_minutes": 25,
    "allowed_window_classes": ["..."]}`. The next action is not blank, the timebox a whole number
    from 1 to 1440, the classes may be missing. Texts come back without control characters, and cut.

    Raises:
        AdvisorError: there is no such object, or there are two that differ.
    """
    return _parse("proposal", text, _as_proposal, untrusted)


def parse_nudge(text: str | bytes, *, untrusted: str = "") -> str:
    """Return the one nudge in what a program printed; it is searched for as a verdict is.

    It is `{"nudge": "..."}`; it comes back as one line of at most 200 characters, maybe empty.

    Raises:
        AdvisorError: there is no such object, or there are two that differ.
    """
    return _parse("nudge", text, _as_nudge, untrusted)


def cleaned(text: str, max_chars: int) -> str:
    """Return `text` on one line, without control characters, cut at `max_chars`."""
    kept = (
        " " if character.isspace() else character for character in text if not _drops(character)
    )
    return " ".join("".join(kept).split())[:max_chars].rstrip()


def _parse(what: str, text: str | bytes, read: Callable[[object], _T | None], untrusted: str) -> _T:
    found = set(find_objects(_decoded(text), read)) - set(find_nested_objects(untrusted, read))
    if len(found) > 1:
        raise AdvisorError(f"the answer holds two different {what}s")
    if not found:
        raise AdvisorError(f"no {what} in the answer")
    return found.pop()


def _as_verdict(value: object) -> Verdict | None:
    match value:
        case {"on_task": (bool() | None) as on_task, "reason": str(reason)}:
            return Verdict(on_task, one_line(reason))
        case _:
            return None


def _as_proposal(value: object) -> Proposal | None:
    match value:
        case {
            "next_action": str(next_action),
            "success_condition": str(success_condition),
            "timebox_minutes": timebox,
            **more,
        }:
            action, minutes = cleaned(next_action, MAX_PROPOSAL_CHARS), _as_minutes(timebox)
            classes = _as_classes(more.get("allowed_window_classes", []))
            if not action or minutes is None or classes is None:
                return None
            success = cleaned(success_condition, MAX_PROPOSAL_CHARS)
            return Proposal(action, success, minutes * 60, classes)
        case _:
            return None


def _as_minutes(value: object) -> int | None:
    match value:
        case bool():
            return None
        case int() | float() if 1 <= value <= MAX_TIMEBOX_MINUTES and value == int(value):
            return int(value)
        case _:
            return None


def _as_classes(value: object) -> tuple[str, ...] | None:
    """Return the window classes, each once in any spelling; None if `value` is no list of texts."""
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        return None
    classes = (cleaned(entry, len(entry)) for entry in value)
    # A class that is too long is left out: cut, it would be another one.
    named = {each.casefold(): each for each in classes if 0 < len(each) <= MAX_CLASS_CHARS}
    return tuple(named.values())[:MAX_CLASSES]


def _as_nudge(value: object) -> str | None:
    match value:
        case {"nudge": str(nudge)}:
            return one_line(nudge)
        case _:
            return None


def _decoded(text: str | bytes) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else text


def _drops(character: str) -> bool:
    category = unicodedata.category(character)
    return category in _HIDDEN and character not in _JOINERS and not character.isspace()

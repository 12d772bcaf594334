"""Reads what a program printed: finds the one answer among chatter, or says why there is none."""

import json
import re
import unicodedata

from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.core.model import Verdict

MAX_TEXT_CHARS = 200
"""How much of a program's own words reaches the user."""

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
_JOINERS = "\u200c\u200d"


def parse_verdict(text: str | bytes, *, untrusted: str = "") -> Verdict:
    """Return the one verdict in what a program printed.

    It is a JSON object `{"on_task": true|false|null, "reason": "..."}` that no other object holds;
    further members are ignored. Greetings, Markdown fences, terminal codes and thinking blocks
    around it do no harm. An answer that already stands in the `untrusted` text is an echo of that
    text, or obeys it, and does not count.

    Raises:
        AdvisorError: there is no such object, or there are two that differ.
    """
    text = text.decode(errors="replace") if isinstance(text, bytes) else text
    found = _find_verdicts(text) - _planted(untrusted)
    if len(found) > 1:
        raise AdvisorError("the answer holds two different verdicts")
    if not found:
        raise AdvisorError("no verdict in the answer")
    return found.pop()


def one_line(text: str | bytes) -> str:
    """Return foreign text as one line of at most `MAX_TEXT_CHARS`, control characters visible."""
    text = text.decode(errors="replace") if isinstance(text, bytes) else text
    line = "".join(_visible(character) for character in " ".join(text.split()))
    return line if len(line) <= MAX_TEXT_CHARS else line[: MAX_TEXT_CHARS - 1] + "…"


def _visible(character: str) -> str:
    hidden = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    if hidden and character not in _JOINERS:
        return character.encode("unicode_escape").decode()
    return character


def _find_verdicts(text: str) -> set[Verdict]:
    """Try the text without its terminal codes, then with what they took back taken back."""
    found = _verdicts(_TERMINAL_CODES.sub("", text))
    if not found and _TAKEN_BACK.search(text):
        found = _verdicts(_TERMINAL_CODES.sub("", _take_back(text)))
    return set(found)


def _take_back(text: str) -> str:
    kept: list[str] = []
    end = 0
    for match in _TAKEN_BACK.finditer(text):
        kept.extend(text[end : match.start()])
        del kept[max(0, len(kept) - int(match[1])) :]
        end = match.end()
    return "".join(kept) + text[end:]


def _verdicts(text: str) -> list[Verdict]:
    """Return the verdicts in `text` that no thinking block holds."""
    found: list[Verdict] = []
    position = 0
    while mark := _MARKS.search(text, position):
        position = mark.end()
        if mark[0] == "{":
            value, position = _read_object(text, mark.start())
            if (verdict := _as_verdict(value)) is not None:
                found.append(verdict)
        elif mark[1]:
            found.clear()  # the block's opening was part of the prompt, so all before is thinking
        else:
            position = _end_of_thinking(text, position)
    return found


def _end_of_thinking(text: str, start: int) -> int:
    closing = _THINKING_ENDS.search(text, start)
    return closing.end() if closing else len(text)


def _planted(untrusted: str) -> set[Verdict]:
    """Return every verdict that can be read out of `untrusted`, wherever one begins."""
    values = (_read_object(untrusted, match.start())[0] for match in re.finditer("{", untrusted))
    return {verdict for value in values if (verdict := _as_verdict(value)) is not None}


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


def _as_verdict(value: object) -> Verdict | None:
    match value:
        case {"on_task": (bool() | None) as on_task, "reason": str(reason)}:
            return Verdict(on_task, one_line(reason))
        case _:
            return None

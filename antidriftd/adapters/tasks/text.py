"""Text from a task list made fit to stand on one line."""

import re
import unicodedata

# ECMA-48 control sequences and operating system commands: colours, links, titles.
_TERMINAL_CODES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"
)


def without_terminal_codes(text: str) -> str:
    """Return `text` without what a terminal would obey instead of showing it."""
    return _TERMINAL_CODES.sub("", text)


def one_line(text: str, max_chars: int) -> str:
    """Return `text` trimmed and on one line, cut with an ellipsis to at most `max_chars`.

    White space is one space each; U+FFFD stands for each control character that is left.
    """
    line = " ".join(without_terminal_codes(text).split())
    line = "".join("\N{REPLACEMENT CHARACTER}" if is_control(char) else char for char in line)
    return line if len(line) <= max_chars else line[: max_chars - 1].rstrip() + "…"


def is_control(char: str) -> bool:
    """Whether `char` is a control character or half of a surrogate pair."""
    return unicodedata.category(char) in {"Cc", "Cs"}

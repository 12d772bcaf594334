"""What stands in for a person with an editor, and what must be left afterwards."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Final

STARTED: Final = "started: write the chapter"
KEPT: Final = re.compile(r"what you wrote is kept in (\S+)")

# Makes $EDITOR a program that runs a shell script on the file "$1"; gives the value of $EDITOR.
Editor = Callable[[str], str]


def writing(text: str) -> str:
    """Return a script that writes `text`."""
    return f'printf %s {shlex.quote(text)} > "$1"'


def contract(**values: str) -> str:
    """Return a contract with some values that matter; an underscore in a key is a space."""
    lines = {"next action": "edit", "timebox": "50m", **values}
    return "".join(f"{key.replace('_', ' ')}: {value}\n" for key, value in lines.items())


def assert_kept(err: str, text: str) -> None:
    """Make sure that a message names a file with exactly this text."""
    match = KEPT.search(err)
    assert match
    assert Path(match[1]).read_text() == text

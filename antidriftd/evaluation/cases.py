"""The labelled windows: one JSON object a line, as in tests/data/dev.jsonl."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from antidriftd.core.model import Commitment, Window
from protocol.visible import one_line

Label = Literal["on_task", "drift", "neutral"]
_Text = Annotated[str, msgspec.Meta(max_length=4096)]


class BadCases(Exception):
    """The file can't be used; the message is one line that names the place."""


class CaseCommitment(msgspec.Struct, frozen=True):
    """What the person had set out to do."""

    next_action: _Text
    success_condition: _Text = ""


class CaseWindow(msgspec.Struct, frozen=True, rename={"window_class": "class"}):
    """The window that was in front."""

    window_class: _Text = ""
    title: _Text = ""


class Case(msgspec.Struct, frozen=True):
    """A window under a commitment, and what it was; unknown members are ignored."""

    id: _Text
    commitment: CaseCommitment
    window: CaseWindow
    label: Label
    commitment_id: _Text = ""
    kind: _Text = ""
    lang: _Text = ""
    pair: _Text = ""

    def question(self) -> tuple[Commitment, Window]:
        """Return what the judge is asked."""
        commitment = Commitment(
            self.commitment.next_action, self.commitment.success_condition, 1500
        )
        return commitment, Window(self.window.window_class, self.window.title)


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file; empty lines are passed over.

    Raises:
        BadCases: it can't be read, holds no case, or a line is none.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadCases(f"{path}: {error.strerror or error}") from error
    cases = [_decode(line, f"{path}:{number}") for number, line in _numbered(lines)]
    if not cases:
        raise BadCases(f"{path}: there is no case in it")
    return cases


def _numbered(lines: list[bytes]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _decode(line: bytes, place: str) -> Case:
    try:
        # What is missing is said of a plain object too, and not only what is wrong.
        value: Any = msgspec.json.decode(line)
        return msgspec.convert(value, Case)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadCases(f"{place}: {one_line(str(error))}") from error

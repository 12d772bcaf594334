"""The sensor program that plays a recording: `python -m ...replay FILE SPEED`.

A recording is JSON Lines of `{"at": secs, "class": ..., "title": ...}` or
`{"at": secs, "window": null}`, offsets from the start in rising order.
"""

import heapq
import itertools
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from antidriftd.adapters.windows.program import (
    ALIVE_EVERY_SECS,
    NO_WINDOW,
    Printer,
    Record,
    run_program,
    window_record,
)


class Entry(NamedTuple):
    """What is in front from `at_secs` after the start; no record: only a sign of life is due."""

    at_secs: float
    record: Record | None = None


class RecordingError(Exception):
    """The recording can't be played; the message names the file, and the line where it is one."""


def read_recording(path: Path) -> list[Entry]:
    """Return the entries of the recording.

    Raises:
        RecordingError: the file can't be read or a line is not what it should be.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as problem:
        raise RecordingError(f"cannot read {path}: {problem.strerror}") from problem
    entries: list[Entry] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                entries.append(_parse(line, after_secs=entries[-1].at_secs if entries else 0.0))
            except (ValueError, OverflowError, RecursionError) as problem:
                raise RecordingError(f"{path}, line {number}: {problem}") from problem
    return entries


def timeline(entries: list[Entry], speed: float) -> Iterator[Entry]:
    """Yield the entries at their time under `speed`, and signs of life between them for ever."""
    windows = (Entry(entry.at_secs / speed, entry.record) for entry in entries)
    beats = (Entry(ALIVE_EVERY_SECS * count) for count in itertools.count())
    return heapq.merge(windows, beats, key=lambda entry: entry.at_secs)


def play(path: Path, speed: float, printer: Printer) -> None:
    """Print the recording at its pace, then signs of life for ever."""
    now_secs = 0.0
    for entry in timeline(read_recording(path), speed):
        time.sleep(entry.at_secs - now_secs)
        now_secs = entry.at_secs
        if entry.record is None:
            printer.alive()
        else:
            printer.window(entry.record)


def _parse(line: bytes, *, after_secs: float) -> Entry:
    """Return the entry that a line holds; raises ValueError."""
    try:
        fields = json.loads(line)
    except json.JSONDecodeError as problem:
        raise ValueError(f"not JSON: {problem.msg}") from problem
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    at = fields.get("at")
    if not isinstance(at, int | float) or isinstance(at, bool) or not math.isfinite(at):
        raise ValueError('"at" has to be a number of seconds')
    if at < after_secs:
        raise ValueError(f'"at" goes back to {at} from {after_secs}')
    if "window" in fields:
        if fields["window"] is not None:
            raise ValueError('"window" can only be null')
        return Entry(float(at), NO_WINDOW)
    return Entry(float(at), _window(fields))


def _window(fields: dict[str, object]) -> Record:
    if "class" not in fields and "title" not in fields:
        raise ValueError('neither "class" nor "title" nor "window" is given')
    texts = (_checked_text(fields.get(name, "")) for name in ("class", "title", "instance"))
    return window_record(*texts)


def _checked_text(text: object) -> str:
    if not isinstance(text, str):
        raise ValueError('"class", "title" and "instance" have to be strings')
    text.encode()  # refuses a lone surrogate, which the daemon could neither send nor save
    return text


if __name__ == "__main__":
    run_program(lambda printer: play(Path(sys.argv[1]), float(sys.argv[2]), printer))

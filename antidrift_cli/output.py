"""The two streams: results on standard output, messages on standard error."""

import os
import re
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import TextIO

from antidrift_cli.visible import visible


def prepare_streams() -> None:
    """Make both streams take any text, whatever the locale, and exist even if they are closed."""
    _occupy_standard_descriptors()
    sys.stdout = _ready(sys.stdout, 1)
    sys.stderr = _ready(sys.stderr, 2)


def say(lines: Iterable[str]) -> None:
    """Print lines of a result, each safe to show, and let them out at once."""
    for line in lines:
        print(visible(line))
    sys.stdout.flush()


def say_aside(lines: Iterable[str]) -> None:
    """Print messages beside the result; that nobody reads them stops nothing."""
    try:
        for line in lines:
            print(visible(line), file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def say_json(json: bytes) -> None:
    """Print JSON of one line in ASCII, so that it is safe on any terminal."""
    print(ascii_json(json), flush=True)


def ascii_json(json: bytes) -> str:
    r"""Return JSON in ASCII: it has other characters only in strings, where `\uXXXX` means them."""
    return re.sub("[^\x00-\x7e]", _escaped, json.decode())


def silence(stream: TextIO) -> None:
    """Send what a broken stream still holds nowhere, so that leaving makes no noise."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _occupy_standard_descriptors() -> None:
    """Open what was closed among the first three, so that no socket becomes standard output."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _ready(stream: TextIO | None, descriptor: int) -> TextIO:
    if stream is None:  # it was closed when we started
        return os.fdopen(descriptor, "w")
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _escaped(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))

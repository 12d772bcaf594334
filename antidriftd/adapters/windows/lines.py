"""Reads what a sensor program prints: one JSON object a line; pure."""

from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from antidriftd.adapters.windows.limits import MAX_CLASS_CHARS, MAX_IDLE_SECS, MAX_TITLE_CHARS
from antidriftd.core.model import Window

MAX_LINE_BYTES = 64 * 1024

_MAX_REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class Seen:
    """The window in front; None when there is none."""

    window: Window | None


@dataclass(frozen=True, slots=True)
class Alive:
    """The source has just answered; input was `idle_secs` ago, None when it can't tell."""

    idle_secs: float | None = None


@dataclass(frozen=True, slots=True)
class Detail:
    """What a person should know although the sensor works; empty when nothing."""

    text: str


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Why the program is about to end."""

    reason: str


Line = Seen | Alive | Detail | Unavailable


class LineBuffer:
    """Cuts a stream of bytes into lines, and lines down to 64 KiB, as they come in."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes | bytearray) -> list[bytes]:
        """Return the lines that `data` completes, without their line ends, empty ones left out."""
        *ended, rest = (self._rest + data).split(b"\n")
        self._rest = rest[:MAX_LINE_BYTES]
        return [line[:MAX_LINE_BYTES] for line in ended if line]


def parse_line(line: bytes) -> Line:
    """Return what a line says; members that it shouldn't have are ignored.

    Raises:
        ValueError: it is not JSON, or not one of the lines above.
        RecursionError: it is nested too deeply.
    """
    record = _DECODER.decode(line)
    if record.window_class is not UNSET or record.title is not UNSET:
        return Seen(
            Window(
                (record.window_class or "")[:MAX_CLASS_CHARS],
                (record.title or "")[:MAX_TITLE_CHARS],
                record.instance[:MAX_CLASS_CHARS],
            )
        )
    if record.window is None:
        return Seen(None)
    if record.unavailable is not UNSET:
        return Unavailable(_one_line(record.unavailable) or "no reason given")
    if record.detail is not UNSET:
        return Detail(_one_line(record.detail))
    if record.alive:
        return Alive(record.idle_secs)
    raise ValueError("the line says nothing")


class _Record(msgspec.Struct, frozen=True):
    window_class: str | UnsetType = msgspec.field(default=UNSET, name="class")
    title: str | UnsetType = UNSET
    instance: str = ""
    window: UnsetType | None = UNSET
    alive: bool = False
    idle_secs: Annotated[float, msgspec.Meta(ge=0, le=MAX_IDLE_SECS)] | None = None
    detail: str | UnsetType = UNSET
    unavailable: str | UnsetType = UNSET


_DECODER = msgspec.json.Decoder(_Record)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_MAX_REASON_CHARS]

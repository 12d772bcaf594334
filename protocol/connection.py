"""Framing: bytes in, complete lines out; one message is one line."""

from typing import Final

MAX_REQUEST_BYTES: Final = 65_536
"""The longest request, in bytes before its line end."""

MAX_REPLY_BYTES: Final = 1 << 20
"""The longest reply or notification, in bytes before its line end."""


class FrameTooLong(Exception):
    """A line is longer than allowed; `lines` are those that were complete before it."""

    def __init__(self, limit: int, lines: list[bytes]) -> None:
        super().__init__(f"a message is longer than {limit} bytes")
        self.lines: Final = lines


class LineReader:
    """Cuts a stream of bytes into lines of at most `limit` bytes, in linear time."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._begun = bytearray()

    @property
    def begun(self) -> bool:
        """Whether a line has begun and not yet ended."""
        return bool(self._begun)

    def receive(self, data: bytes) -> list[bytes]:
        r"""Take the next bytes of the stream; return the lines that are now complete.

        Lines come without their end (`\n` or `\r\n`), empty ones not at all.

        Raises:
            FrameTooLong: a line passed the limit, ended or not. The stream can't be read on.
        """
        *ends, rest = data.split(b"\n")
        if ends and self._begun:
            ends[0] = bytes(self._begun + ends[0])
            self._begun.clear()
        lines: list[bytes] = []
        for end in ends:
            line = end.removesuffix(b"\r")
            if len(line) > self._limit:
                raise FrameTooLong(self._limit, lines)
            if line:
                lines.append(line)
        if rest:
            self._begun += rest
            # A final \r may be half of the line's end, which doesn't count.
            if len(self._begun) - self._begun.endswith(b"\r") > self._limit:
                raise FrameTooLong(self._limit, lines)
        return lines

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
        self._buffer = bytearray()

    @property
    def begun(self) -> bool:
        """Whether a line has begun and not yet ended."""
        return bool(self._buffer)

    def receive(self, data: bytes) -> list[bytes]:
        r"""Take the next bytes of the stream; return the lines that are now complete.

        Lines come without their end (`\n` or `\r\n`), empty ones not at all.

        Raises:
            FrameTooLong: a line passed the limit, ended or not. The stream can't be read on.
        """
        lines: list[bytes] = []
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._take(end, lines)
            line = bytes(self._buffer).removesuffix(b"\r")
            self._buffer.clear()
            if line:
                lines.append(line)
        self._take(rest, lines)
        return lines

    def _take(self, piece: bytes, lines: list[bytes]) -> None:
        self._buffer += piece
        # A final \r may be half of the line's end, which doesn't count.
        if len(self._buffer) - self._buffer.endswith(b"\r") > self._limit:
            raise FrameTooLong(self._limit, lines)

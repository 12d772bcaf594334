"""A display's picture as a small PNG: few colours, each pixel one byte (PNG, second edition)."""

import struct
import zlib
from typing import Final

from Xlib import X, display

_STEP: Final = 32
"""Colours nearer than this become one: a picture of text has few, and its edges many shades."""


def picture_of(name: str, width: int, height: int) -> bytes:
    """Return the upper left `width` x `height` pixels of the display `name`, which has 24 bits."""
    connection = display.Display(name)
    try:
        image = connection.screen().root.get_image(0, 0, width, height, X.ZPixmap, 0xFFFFFFFF)
    finally:
        connection.close()
    return _encoded(image.data, width, height)


def _encoded(pixels: bytes, width: int, height: int) -> bytes:
    """Return the PNG of rows of pixels, each of them blue, green, red and a spare byte."""
    palette: dict[tuple[int, int, int], int] = {}
    rows = bytearray()
    for start in range(0, 4 * width * height, 4 * width):
        rows.append(0)  # no filter
        row = pixels[start : start + 4 * width]
        for blue, green, red in zip(row[0::4], row[1::4], row[2::4], strict=True):
            colour = (_near(red), _near(green), _near(blue))
            rows.append(palette.setdefault(colour, len(palette)))
    header = struct.pack(">2I5B", width, height, 8, 3, 0, 0, 0)
    colours = bytes(value for colour in palette for value in colour)
    chunks = ((b"IHDR", header), (b"PLTE", colours), (b"IDAT", zlib.compress(rows, 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*each) for each in (*chunks, (b"IEND", b"")))


def _near(value: int) -> int:
    return min(255, round(value / _STEP) * _STEP)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

"""Decodes COMPOUND_TEXT, in which older X programs write titles that are not Latin-1.

The encoding is ISO 2022 with few rules: "Compound Text Encoding", version 1.1, X Consortium. Text
before any escape sequence is ASCII in the left half (bytes below 0x80) and Latin-1 in the right.
"""

import re
from typing import Final, NamedTuple

_REPLACEMENT = "\ufffd"

_TOKEN: Final = re.compile(
    rb"\x1b%G(?P<utf8>.*?)(?:\x1b%@|\Z)"
    rb"|(?P<extended>\x1b%/[0-4][\x80-\xff]{2})"
    rb"|(?P<charset>\x1b(?:\$[()]?|[()-])[0-~])"
    rb"|(?P<direction>\x9b[0-?]*\])"
    rb"|(?P<plain>[\x00-\x1a\x1c-\x20\x7f]+)"
    rb"|(?P<left>[\x21-\x7e]+)"
    rb"|(?P<right>[\xa0-\xff]+)"
    rb"|(?P<stray>.)",
    re.DOTALL,
)


class _Charset(NamedTuple):
    """A character set, by the Python codec that holds it and the form that the codec expects."""

    codec: str
    bytes_each: int = 1
    high_bit: bool = True
    lead: bytes = b""

    def decode(self, run: bytes) -> str:
        bit = 0x80 if self.high_bit else 0
        run = bytes(byte & 0x7F | bit for byte in run)
        if self.lead:
            starts = range(0, len(run), self.bytes_each)
            run = b"".join(self.lead + run[at : at + self.bytes_each] for at in starts)
        return run.decode(self.codec, "replace")


class _UnknownCharset(NamedTuple):
    """A character set of two bytes a character that no Python codec holds."""

    def decode(self, run: bytes) -> str:
        return _REPLACEMENT * ((len(run) + 1) // 2)


_ASCII = _Charset("ascii", high_bit=False)
_LATIN_1 = _Charset("iso8859-1")
_UNKNOWN = _UnknownCharset()

# By the last byte of the escape sequence, as ISO-IR registers it.
_SETS_OF_94: Final = {b"B": _ASCII, b"J": _ASCII, b"I": _Charset("shift_jis")}
_SETS_OF_96: Final = {
    final: _Charset(f"iso8859-{part}")
    for final, part in {
        b"A": 1, b"B": 2, b"C": 3, b"D": 4, b"L": 5, b"G": 6, b"F": 7, b"H": 8, b"M": 9,
        b"V": 10, b"T": 11, b"Y": 13, b"_": 14, b"b": 15, b"f": 16,
    }.items()
}  # fmt: skip
_SETS_OF_94X94: Final = {
    b"@": _Charset("euc_jp", 2),
    b"A": _Charset("gb2312", 2),
    b"B": _Charset("euc_jp", 2),
    b"C": _Charset("euc_kr", 2),
    b"D": _Charset("euc_jp", 2, lead=b"\x8f"),
}

# Names of extended segments, as libX11 writes them.
_EXTENDED_CODECS: Final = {
    b"iso8859-10": "iso8859-10", b"iso8859-13": "iso8859-13", b"iso8859-14": "iso8859-14",
    b"iso8859-15": "iso8859-15", b"iso8859-16": "iso8859-16", b"koi8-r": "koi8-r",
    b"koi8-u": "koi8-u", b"tis620-0": "tis-620", b"microsoft-cp1251": "cp1251",
    b"microsoft-cp1252": "cp1252", b"microsoft-cp1255": "cp1255", b"microsoft-cp1256": "cp1256",
    b"big5-0": "big5", b"big5hkscs-0": "big5hkscs", b"gbk-0": "gbk",
}  # fmt: skip


def decode_compound_text(value: bytes) -> str:
    """Return the text; what can't be decoded becomes U+FFFD, and nothing is raised."""
    left: _Charset | _UnknownCharset = _ASCII
    right: _Charset | _UnknownCharset = _LATIN_1
    text: list[str] = []
    at = 0
    while token := _TOKEN.match(value, at):
        at = token.end()
        run = token[token.lastgroup or 0]
        match token.lastgroup:
            case "left":
                text.append(left.decode(run))
            case "right":
                text.append(right.decode(run))
            case "charset" if _goes_right(run):
                right = _charset(run)
            case "charset":
                left = _charset(run)
            case "utf8":
                text.append(run.decode("utf-8", "replace"))
            case "plain":
                text.append(run.decode("ascii"))
            case "extended":
                size = (run[-2] - 0x80) * 0x80 + run[-1] - 0x80
                text.append(_extended_segment(value[at : at + size]))
                at += size
            case "direction":
                pass
            case _:
                text.append(_REPLACEMENT)
    return "".join(text)


def _goes_right(escape: bytes) -> bool:
    return escape[1:-1].endswith((b")", b"-"))


def _charset(escape: bytes) -> _Charset | _UnknownCharset:
    kind, final = escape[1:-1], escape[-1:]
    if kind.startswith(b"$"):
        return _SETS_OF_94X94.get(final, _UNKNOWN)
    if kind == b"-":
        return _SETS_OF_96.get(final, _LATIN_1)
    return _SETS_OF_94.get(final, _ASCII)


def _extended_segment(segment: bytes) -> str:
    name, _, text = segment.partition(b"\x02")
    return text.decode(_EXTENDED_CODECS.get(name.lower(), "ascii"), "replace")

"""The learned section of a profile: the only bytes of a file that are ever changed.

Everything outside of the two marks is the person's, whatever its encoding and line ends. Lines
between the marks that carry no id are the person's too.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from antidriftd.core.knowledge.errors import CustodyError

BEGIN = b"<!-- antidrift:learned v1 -->"
END = b"<!-- /antidrift:learned -->"
HEADING = "## Learned about how I work"
MAX_NODE_BYTES = 6 * 1024
"""As much of a profile as the coach reads, so that whatever is accepted reaches it."""

_MARK_LIKE = re.compile(rb"<!--\s*/?antidrift:learned")
_ENTRY = re.compile(r"- (.*\S) <!-- (k:[0-9a-f]{8})\.([1-9][0-9]*) (\d{4}-\d\d-\d\d) -->\s*")
_ID_LIKE = re.compile(r"<!--\s*k:")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that was learned: its text, its id and revision, and the day of its harvest."""

    text: str
    id: str
    revision: int
    day: str

    @property
    def mark(self) -> str:
        """The id with the revision."""
        return f"{self.id}.{self.revision}"

    @property
    def line(self) -> str:
        """The line as it stands in the file."""
        return f"- {self.text} <!-- {self.mark} {self.day} -->"


@dataclass(frozen=True, slots=True)
class Section:
    """A file taken apart at the marks; `has_marks` is False while there is no section yet."""

    before: bytes
    lines: tuple[bytes, ...]
    """With their own line ends."""
    after: bytes
    newline: str
    has_marks: bool

    def entries(self) -> dict[str, Entry]:
        """Return what was learned, by id."""
        found = (_entry(line) for line in self.lines)
        return {entry.id: entry for entry in found if entry is not None}

    def with_lines(self, lines: Iterable[bytes]) -> bytes:
        """Return the whole file with other lines between the marks."""
        body = b"".join(lines)
        if self.has_marks:
            return self.before + body + self.after
        newline = self.newline.encode()
        gap = newline if self.before else b""
        if self.before and not self.before.endswith(b"\n"):
            gap += newline
        heading = HEADING.encode() + newline
        return self.before + gap + BEGIN + newline + heading + body + END + newline


def parse_section(content: bytes) -> Section:
    """Return `content` taken apart.

    Raises:
        CustodyError: `E_SECTION`, the marks or what stands between them can't be understood.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _broken("the file is UTF-16; save it as UTF-8")
    lines = _lines(content)
    at = [number for number, line in enumerate(lines) if _MARK_LIKE.search(line)]
    newline = "\r\n" if _ends_crlf(lines, at) else "\n"
    if not at:
        return Section(content, (), b"", newline, has_marks=False)
    marks = [lines[number].rstrip(b"\r\n") for number in at]
    if marks != [BEGIN, END]:
        raise _broken("it needs one begin mark and one end mark, each alone on its line")
    begin, end = at
    inner = tuple(lines[begin + 1 : end])
    before, after = b"".join(lines[: begin + 1]), b"".join(lines[end:])
    section = Section(before, inner, after, newline, has_marks=True)
    _check_ids(section)
    return section


def _lines(content: bytes) -> list[bytes]:
    parts = content.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _ends_crlf(lines: list[bytes], at: list[int]) -> bool:
    looked_at = lines[at[0]] if at else lines[0] if lines else b""
    return looked_at.endswith(b"\r\n")


def _decoded(line: bytes) -> str:
    try:
        return line.decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise _broken("what stands between the marks is not UTF-8") from error


def _entry(line: bytes) -> Entry | None:
    match = _ENTRY.fullmatch(_decoded(line))
    return None if match is None else Entry(match[1], match[2], int(match[3]), match[4])


def _check_ids(section: Section) -> None:
    with_id = [line for line in section.lines if _ID_LIKE.search(_decoded(line))]
    if any(_entry(line) is None for line in with_id):
        raise _broken("a line with an id must read `- TEXT <!-- k:ID.REVISION DAY -->`")
    if len(section.entries()) < len(with_id):
        raise _broken("an id is there twice")


def _broken(why: str) -> CustodyError:
    return CustodyError("E_SECTION", f"the learned section can't be used: {why}")


@dataclass(frozen=True, slots=True)
class Change:
    """One line to be written: a new entry, or one in the place of the entry `replaces`."""

    entry: Entry
    replaces: str = ""


def changed(section: Section, changes: Iterable[Change]) -> tuple[bytes, ...]:
    """Return the section's lines after `changes`; new entries stand at the end of the list."""
    by_target, added = {}, []
    for change in changes:
        line = (change.entry.line + section.newline).encode()
        if change.replaces:
            by_target[change.replaces] = line
        else:
            added.append(line)
    lines = [_replaced(line, by_target) for line in section.lines]
    last = max((n for n, line in enumerate(lines) if line.strip()), default=-1) + 1
    return (*lines[:last], *added, *lines[last:])


def _replaced(line: bytes, by_target: Mapping[str, bytes]) -> bytes:
    entry = _entry(line)
    return line if entry is None else by_target.get(entry.id, line)


def marks_in(content: bytes) -> frozenset[str]:
    """Return every `id.revision` in `content`, wherever it stands; nothing is refused."""
    found = re.findall(rb"<!-- (k:[0-9a-f]{8}\.[1-9][0-9]*) ", content)
    return frozenset(mark.decode() for mark in found)

"""Live evidence: a file for each running session, a line for each thing that happened."""

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from antidriftd import durable
from antidriftd.adapters.evidence.sealed import encode, write_file
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.evidence import GAP_FULL, GAP_TORN, MAX_LIVE_BYTES, Header, Line


class FileLiveEvidence:
    """Keeps live files in one folder; see `LiveEvidence`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self, session_id: str, header: Header) -> None:
        """Make the live file of a session."""
        write_file(self._path(session_id), encode(header) + b"\n")

    def read(self, session_id: str) -> tuple[Header, tuple[Line, ...]] | None:
        """Return a live file's content, its torn last line marked as a gap."""
        path = self._path(session_id)
        if not path.exists():
            return None
        first, *rest = path.read_bytes().split(b"\n")
        try:
            header = msgspec.json.decode(first, type=Header)
        except msgspec.DecodeError as error:
            raise CustodyError("E_INPUT", f"{path} is damaged; move it away") from error
        lines = [self._line(text) for text in rest[:-1] if text]
        if rest and rest[-1]:
            lines.append(Line(gap=GAP_TORN))
        return header, tuple(lines)

    def append(self, session_id: str, lines: Sequence[Line]) -> bool:
        """Add lines; a gap takes the place of the candidates that exceed the limit."""
        path = self._path(session_id)
        content = path.read_bytes()
        # A torn line of before is closed first, so that it is one line and no more.
        begun = b"" if content.endswith(b"\n") else b"\n"
        data, is_full = begun, False
        for line in lines:
            text = encode(line) + b"\n"
            if (
                not (line.ended or line.gap)
                and len(content) + len(data) + len(text) > MAX_LIVE_BYTES
            ):
                is_full = True
                text = b"" if _tells_full(content + data) else encode(Line(gap=GAP_FULL)) + b"\n"
            data += text
        if data:
            durable.append(path, data)
        return not is_full

    def sessions(self) -> tuple[str, ...]:
        """Return the sessions that have a live file."""
        return tuple(sorted(path.stem for path in self._folder.glob("*.jsonl")))

    def remove(self, session_id: str) -> None:
        """Remove a live file."""
        durable.remove(self._path(session_id))

    def _line(self, text: bytes) -> Line:
        try:
            return msgspec.json.decode(text, type=Line)
        except msgspec.DecodeError:
            return Line(gap=GAP_TORN)

    def _path(self, session_id: str) -> Path:
        if re.fullmatch(r"[0-9A-Za-z-]{1,64}", session_id) is None:
            raise CustodyError("E_INPUT", "that is no session's id")
        return self._folder / f"{session_id}.jsonl"


def _tells_full(content: bytes) -> bool:
    return encode(Line(gap=GAP_FULL)) in content

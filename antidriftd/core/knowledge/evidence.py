"""Live evidence: what is written of a session while it runs, and the input that it becomes.

A live file is a header and then events, a line each. What is read back is made into the very same
input whenever it is sealed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from antidriftd.core.knowledge.credentials import looks_secret
from antidriftd.core.knowledge.model import Candidate, Destination, Input, Source, instant
from antidriftd.core.knowledge.steps import Noticed

MAX_CANDIDATES = 200
MAX_LIVE_BYTES = 64 * 1024
MAX_NOTE_BYTES = 4 * 1024
MAX_TITLE_CHARS = 160

GAP_FULL = "the limit was reached"
GAP_RESTART = "the daemon was restarted"
GAP_TORN = "the last line was torn"
GAP_NO_END = "the end was not seen"
GAP_LEFT_OUT = "something that looked like a credential was left out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line: whose evidence it is and where it is meant to go."""

    source: Source
    owner: str
    destination: Destination
    titles: bool = False
    automatic: bool = True
    """False when only what the person typed is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line after the header: a candidate, one seen `again`, a gap, or the end."""

    candidate: Candidate | None = None
    again: int | None = None
    gap: str = field(default="")
    ended: str = ""


def as_candidate(n: int, seen: Noticed, *, titles: bool) -> tuple[Candidate, str]:
    """Return what is kept of something noticed, and a gap's text if part of it was left out."""
    data: dict[str, str | int] = {}
    if seen.window_class:
        data["class"] = seen.window_class
    if seen.secs:
        data["secs"] = seen.secs
    title = " ".join(seen.title.split())[:MAX_TITLE_CHARS] if titles else ""
    is_secret = looks_secret(title) or looks_secret(seen.claim)
    if title and not is_secret:
        data["title"] = title
    candidate = Candidate(
        n=n,
        at=instant(seen.at),
        kind=seen.kind,
        claim=_whole(seen.claim) if not looks_secret(seen.claim) else "(left out)",
        certainty=seen.certainty,
        third_party="title" in data,
        data=data,
    )
    return replace(candidate, data={k: _clean(v) for k, v in data.items()}), (
        GAP_LEFT_OUT if is_secret else ""
    )


def _clean(value: str | int) -> str | int:
    return _whole(value) if isinstance(value, str) else value


def _whole(text: str) -> str:
    return text.encode(errors="replace").decode()


def next_line(seen: Candidate, lines: Sequence[Line]) -> Line | None:
    """Return the line that adds a candidate; None when there is no room for another one."""
    known = [line.candidate for line in lines if line.candidate is not None]
    for old in known:
        if _sameness(old) == _sameness(seen):
            return Line(again=old.n)
    return Line(candidate=seen) if len(known) < MAX_CANDIDATES else None


def _sameness(candidate: Candidate) -> tuple[object, ...]:
    data = candidate.data
    return candidate.kind, candidate.claim, data.get("class"), data.get("title")


def seal(header: Header, lines: Iterable[Line]) -> Input:
    """Return the input that live evidence becomes; the same lines always make the same one."""
    candidates: dict[int, Candidate] = {}
    gaps: list[str] = []
    ended = ""
    for line in lines:
        if line.candidate is not None:
            candidates[line.candidate.n] = line.candidate
        if line.again is not None and line.again in candidates:
            candidates[line.again] = _counted(candidates[line.again])
        if line.gap and line.gap not in gaps:
            gaps.append(line.gap)
        ended = ended or line.ended
    if not ended:
        gaps.append(GAP_NO_END)
    return Input(
        kind="session",
        source=replace(header.source, ended=ended),
        owner=header.owner,
        destination=header.destination,
        complete=set(gaps) <= {GAP_LEFT_OUT},
        gaps=tuple(gaps),
        candidates=tuple(candidates[n] for n in sorted(candidates)),
    )


def _counted(candidate: Candidate) -> Candidate:
    times = candidate.data.get("times", 1)
    more = {**candidate.data, "times": int(times) + 1}
    return replace(candidate, data=more)

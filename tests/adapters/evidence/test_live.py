"""A live file: what fits is kept, and what doesn't leaves a gap."""

from pathlib import Path

from antidriftd.adapters.evidence.live import FileLiveEvidence
from antidriftd.core.knowledge.evidence import GAP_FULL, MAX_LIVE_BYTES, Header, Line
from antidriftd.core.knowledge.model import Candidate, Destination, Source

NODE = Destination(ref="me/profile", base_id="me-1", kind="directory", locator={}, bindings="")
HEADER = Header(source=Source(id="s1"), owner="o", destination=NODE)


def line(n: int, claim: str) -> Line:
    return Line(
        candidate=Candidate(
            n=n, at="2026-11-30T09:00:00Z", kind="note", claim=claim, certainty="stated"
        )
    )


def lines_after(live: FileLiveEvidence, *lines: Line) -> tuple[bool, tuple[Line, ...]]:
    is_kept = live.append("s1", lines)
    known = live.read("s1")
    assert known is not None
    return is_kept, known[1]


def test_what_fits_is_kept_though_it_comes_with_what_does_not(tmp_path: Path) -> None:
    live = FileLiveEvidence(tmp_path)
    live.begin("s1", HEADER)
    large, small, end = line(1, "x" * MAX_LIVE_BYTES), line(0, "small"), Line(ended="now")

    assert lines_after(live, small, large, large, end) == (
        False,
        (small, Line(gap=GAP_FULL), end),
    )
    assert lines_after(live, large) == (False, (small, Line(gap=GAP_FULL), end))


def test_a_full_file_takes_nothing_but_gaps_and_the_end(tmp_path: Path) -> None:
    live = FileLiveEvidence(tmp_path)
    live.begin("s1", HEADER)
    while live.append("s1", [line(0, "x" * 500)]):
        pass
    again, torn, end = Line(again=0), Line(gap="torn"), Line(ended="now")

    is_kept, lines = lines_after(live, *[again] * 100, torn, end)

    assert not is_kept
    assert lines[-2:] == (torn, end)
    assert (tmp_path / "s1.jsonl").stat().st_size < MAX_LIVE_BYTES + 500

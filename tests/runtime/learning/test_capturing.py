"""Capture: what a step shows is kept in one go."""

from pathlib import Path

import pytest

from antidriftd.adapters.custody.bases import FileBases
from antidriftd.adapters.evidence.files import FileEvidence
from antidriftd.core.knowledge.evidence import Header
from antidriftd.core.knowledge.model import Destination, Source
from antidriftd.core.knowledge.steps import Noticed, SessionNoticed
from antidriftd.runtime.learning.capturing import Capture
from antidriftd.runtime.learning.parts import Parts
from tests.fakes.clock import TrioClock

NODE = Destination(ref="me/profile", base_id="me-1", kind="directory", locator={}, bindings="")


def seen(claim: str) -> Noticed:
    return Noticed(at=0.0, kind="note", claim=claim, certainty="stated")


async def test_a_live_file_is_read_once_for_all_that_a_step_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = FileEvidence(tmp_path)
    bases = FileBases(str(tmp_path / "none.toml"), tmp_path, {})
    parts = Parts(bases=bases, evidence=evidence, judge=None, clock=TrioClock())
    evidence.live.begin("s1", Header(source=Source(id="s1"), owner="o", destination=NODE))
    reads = 0
    read = evidence.live.read

    def counted(session_id: str) -> object:
        nonlocal reads
        reads += 1
        return read(session_id)

    monkeypatch.setattr(evidence.live, "read", counted)
    shown = (seen("one"), seen("two"), seen("one"))
    await Capture(parts).take(SessionNoticed(session_id="s1", found=shown))

    assert reads == 1
    known = read("s1")
    assert known is not None
    kept = [
        (line.candidate.n, line.candidate.claim) if line.candidate else line.again
        for line in known[1]
    ]
    assert kept == [(0, "one"), (1, "two"), 0]

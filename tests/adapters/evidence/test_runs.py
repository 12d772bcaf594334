"""What is kept of runs: what was forgotten is deleted from each that used it."""

from pathlib import Path

import pytest

from antidriftd.adapters.evidence.runs import FileRuns
from antidriftd.core.knowledge.model import Destination
from antidriftd.core.knowledge.runs import Claim, Receipt

NODE = Destination(ref="me/profile", base_id="me-1", kind="directory", locator={}, bindings="")


def begin(runs: FileRuns, run: str, *inputs: str) -> None:
    claim = Claim(inputs=inputs, owner="o", destination=NODE, judge="fake 1")
    runs.add(Receipt(run=run, seq=1, at="2026-11-30T09:00:00Z", state="claimed", claim=claim))
    runs.write_text(run, "prompt.txt", "its words")


def test_what_runs_keep_of_several_inputs_is_forgotten_in_one_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = FileRuns(tmp_path)
    begin(runs, "r-1", "a", "b")
    begin(runs, "r-2", "b", "c")
    begin(runs, "r-3", "d")
    looks = 0
    read_all = runs.read_all

    def counted() -> object:
        nonlocal looks
        looks += 1
        return read_all()

    monkeypatch.setattr(runs, "read_all", counted)
    runs.forget(["a", "b", "c"])

    kept = [runs.read_text(run, "prompt.txt") for run in ("r-1", "r-2", "r-3")]
    assert kept == [None, None, "its words"]
    assert looks == 1

    runs.forget([])
    assert looks == 1

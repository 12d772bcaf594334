"""Exports of several machines, and every session counted once."""

import json
import os
from itertools import permutations
from pathlib import Path

import pytest

from antidrift_cli.history.merging import merged, read_exports
from antidrift_cli.history.sessions import PastSession
from tests.cli.conftest import Antidrift
from tests.cli.history.past import BEGAN, ended, led_away, past, stretches, write_history

LINE = {
    "antidrift_export": 1,
    "session_id": "s9",
    "host": "b",
    "next_action": "x",
    "timebox_secs": 60,
    "started": "2026-11-30T08:00:00Z",
    "ended": "2026-11-30T08:01:00Z",
    "planned_end": "2026-11-30T08:01:00Z",
    "ontask_secs": 60,
    "drift_secs": 0,
    "unjudged_secs": 0,
    "away_secs": 0,
    "switches": 0,
    "drift_episodes": 0,
}

FAR_OFF = {"began": "9999-12-31T23:59:59Z", "status": "away", "secs": 1}


def test_the_order_in_which_sessions_come_does_not_matter() -> None:
    sessions = [
        past(session_id="s2"),
        past(session_id="s1", started=BEGAN.replace(hour=9)),
        past(session_id="s2", outcome="done"),
        past(session_id="s2", switches=3),
    ]
    results = [merged(each) for each in permutations(sessions)]

    assert all(result == results[0] for result in results)
    assert [(each.session_id, each.outcome) for each in results[0]] == [("s2", "done"), ("s1", "")]


@pytest.mark.parametrize(
    "richer",
    [
        past(outcome="partial"),
        past(note="half of it"),
        past(ended=BEGAN.replace(hour=9)),
    ],
)
def test_of_two_the_one_that_tells_more_counts(richer: PastSession) -> None:
    assert merged([past(), richer]) == merged([richer, past()]) == [richer]


def test_exports_of_other_hosts_are_counted_with_the_own_history(
    tmp_path: Path, state_dir: Path, antidrift: Antidrift, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    for name, secs in (("laptop", 100.0), ("tower", 200.0)):
        rows = stretches(name, ("code", secs, "ontask"), ("mpv", 10.0, "drift"))
        write_history(tmp_path / name, rows, led_away(name, "mail"), ended(rows))
        monkeypatch.setenv("ANTIDRIFT_STATE_DIR", str(tmp_path / name))
        for twice in ("", "-again"):
            path = shared / f"{name}{twice}.jsonl"
            assert antidrift("export", "--intervals", "-o", str(path))[0] == 0

    code, out, err = antidrift("report", "--from", str(shared), "--json")
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert (result["hosts"], result["total"]["sessions"]) == (2, 2)
    assert (result["total"]["ontask_secs"], result["total"]["drift_secs"]) == (300, 20)
    assert result["pulled_away"] == [{"class": "mpv", "drift_secs": 20}]
    assert result["causes"] == [{"cause": "mail", "times": 2}]
    assert [each["ontask_secs"] for each in result["hours"]] == [300]

    monkeypatch.setenv("ANTIDRIFT_STATE_DIR", str(state_dir))  # which has no history
    assert json.loads(antidrift("report", "--from", str(shared), "--json")[1]) == result


def test_a_folder_twice_and_a_period_change_nothing_for_what_is_in_it(
    tmp_path: Path, state_dir: Path, antidrift: Antidrift
) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(LINE) + "\n")
    args = ["report", "--from", str(tmp_path), "--from", str(tmp_path), "--json", "--since"]

    assert json.loads(antidrift(*args, "2026-11-29")[1])["total"]["sessions"] == 1
    assert json.loads(antidrift(*args, "2026-12-02")[1])["total"]["sessions"] == 0


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        '"' + "x" * 100_000 + '"',
        "[" * 100_000,
        json.dumps({**LINE, "antidrift_export": 2}),
        json.dumps({key: value for key, value in LINE.items() if key != "antidrift_export"}),
        json.dumps({**LINE, "ontask_secs": -1}),
        json.dumps({**LINE, "ontask_secs": 1e300}),
        json.dumps({**LINE, "ontask_secs": "60"}),
        json.dumps({**LINE, "started": "0001-01-01T00:00:00Z"}),
        json.dumps({**LINE, "started": "2026-11-30T08:00:00"}),
        json.dumps({**LINE, "outcome": "\x1b[2J"}),
        json.dumps({**LINE, "by_slot": [FAR_OFF]}),
        '{"antidrift_export":1,\udcff}',
    ],
    ids=range(14),
)
def test_a_line_that_is_no_session_is_left_out_with_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    good = json.dumps({**LINE, "a member of later versions": [1]})
    text = f"{good}\n\n{line}\n{line}\n"
    (tmp_path / "a.jsonl").write_text(text, errors="surrogateescape")

    assert [each.session_id for each in read_exports([tmp_path], None)] == ["s9"]
    (message,) = capsys.readouterr().err.splitlines()
    assert f"{tmp_path}/a.jsonl, line 3: no session of an export" in message
    assert message.endswith("; 1 more line was left out too")
    assert message.isprintable()
    assert len(message) < 400


def test_only_files_named_jsonl_directly_in_the_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(LINE))  # a last line without an end
    (tmp_path / ".antidrift-x.tmp").write_text("half a fi")
    (tmp_path / "notes.txt").write_text("notes")
    (tmp_path / "deeper.jsonl").mkdir()
    (tmp_path / "deeper.jsonl" / "b.jsonl").write_text("never read")
    os.mkfifo(tmp_path / "pipe.jsonl")

    assert len(list(read_exports([tmp_path], None))) == 1


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=str)
def test_a_folder_that_is_not_there_is_told_in_one_line(
    tmp_path: Path, state_dir: Path, antidrift: Antidrift, flags: list[str]
) -> None:
    code, out, err = antidrift("report", "--from", str(tmp_path / "nowhere"), *flags)

    assert code == 1
    assert "nowhere can't be read: No such file or directory" in out + err

"""The history in the formats of others."""

import json
import os
import re
import subprocess
import tracemalloc
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from antidrift_cli.history.export import lines_of
from antidrift_cli.history.reading import open_history
from protocol.history import HISTORY_FILE
from tests.bench.year import make_year
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import run_client
from tests.cli.history.past import (
    BEGAN,
    ended,
    judged,
    led_away,
    reviewed,
    stretches,
    write_history,
)

if TYPE_CHECKING:
    from antidriftd.core.recording_state import Record

ROWS = (("code", 600.25, "ontask"), ("firefox", 420.5, "drift"), ("", 100.0, "away"))
HOSTILE = '=1+1\u202e 日本 🎉 "x\\y'


def write_two(state_dir: Path) -> None:
    first = stretches("s1", *ROWS)
    second = stretches("s2", *ROWS)
    write_history(
        state_dir,
        first,
        led_away("s1", "mail"),
        judged("s1", on_task=False),
        ended(first, next_action=HOSTILE),
        reviewed("s1", "done", "it went well"),
        second,
        ended(second, started=BEGAN.timestamp() + 86_400),
    )


def exported(antidrift: Antidrift, *args: str) -> str:
    code, out, err = antidrift("export", *args)
    assert (code, err) == (0, "")
    return out


@pytest.mark.fault("T18", "export opened elsewhere")
def test_jsonl_is_a_session_a_line_with_its_version(state_dir: Path, antidrift: Antidrift) -> None:
    write_two(state_dir)
    lines = exported(antidrift).splitlines()

    assert all(line.isascii() and line.isprintable() for line in lines)
    first, second = map(json.loads, lines)
    assert first["antidrift_export"] == 1
    assert first["next_action"] == HOSTILE
    assert first["started"] == "2026-11-30T08:00:00Z"
    assert first["answers"][0]["cause"] == "mail"
    assert (first["outcome"], first["note"]) == ("done", "it went well")
    assert re.fullmatch("[0-9a-f]{16}", first["host"])
    assert first["host"] == second["host"]
    assert "intervals" not in first
    assert "outcome" not in second


def test_jsonl_has_every_stretch_when_asked(state_dir: Path, antidrift: Antidrift) -> None:
    write_two(state_dir)
    first = json.loads(exported(antidrift, "--intervals").splitlines()[0])

    assert [each["secs"] for each in first["intervals"]] == [600.25, 420.5, 100]
    assert first["intervals"][1] == {
        "began": "2026-11-30T08:10:00.250000Z",
        "secs": 420.5,
        "class": "firefox",
        "status": "drift",
        "switches": 1,
        "drift_episodes": 1,
    }
    assert first["verdicts"][0]["on_task"] is False


@pytest.mark.fault("T18", "export opened elsewhere")
def test_jq_reads_it(state_dir: Path, antidrift: Antidrift) -> None:
    write_two(state_dir)
    text = exported(antidrift, "--intervals")

    done = subprocess.run(
        ["jq", "-r", "[.session_id, ([.intervals[].secs] | add)] | @tsv"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "s1\t1120.75\ns2\t1120.75\n"


def test_only_what_began_since_a_day_here(
    state_dir: Path, antidrift: Antidrift, berlin: None
) -> None:
    write_two(state_dir)

    assert len(exported(antidrift, "--since", "2026-11-30").splitlines()) == 2
    (line,) = exported(antidrift, "--since", "2026-12-01").splitlines()
    assert json.loads(line)["session_id"] == "s2"


def test_timewarrior_gets_intervals_as_it_exports_them(
    state_dir: Path, antidrift: Antidrift
) -> None:
    write_two(state_dir)
    first, second = timewarrior(exported(antidrift, "--format", "timewarrior"))

    assert first[:2] == (BEGAN, BEGAN + timedelta(seconds=1120))
    assert first[2] == {"antidrift", "done"}
    assert first[3] == '=1+1\\u202e 日本 🎉 "x\\y'
    assert second[2] == {"antidrift"}


def timewarrior(text: str) -> list[tuple[datetime, datetime, set[str], str]]:
    """Read intervals as `timew import` does: an array of objects with moments in UTC."""
    assert "\\u20" not in text.replace("\\\\u", "")  # it would be taken for what it says
    rows = json.loads(text)
    assert all(set(row) == {"start", "end", "tags", "annotation"} for row in rows)
    form = "%Y%m%dT%H%M%SZ"
    return [
        (
            datetime.strptime(row["start"], form).replace(tzinfo=UTC),
            datetime.strptime(row["end"], form).replace(tzinfo=UTC),
            set(row["tags"]),
            row["annotation"],
        )
        for row in rows
    ]


def test_sessions_side_by_side_do_not_overlap_for_timewarrior(
    state_dir: Path, antidrift: Antidrift
) -> None:
    """It imports nothing of what overlaps; and an empty interval is none."""
    start = BEGAN.timestamp() + 0.9
    records: list[Record] = []
    for number, secs in enumerate((9.3, 0.4, 10.95, 1.0)):
        rows = stretches(f"s{number}", ("code", secs, "ontask"))
        records += [*rows, ended(rows, started=start, ended=start + secs)]
        start += secs
    write_history(state_dir, records)

    intervals = timewarrior(exported(antidrift, "--format", "timewarrior"))
    assert len(intervals) == 3
    assert all(start < end for start, end, *_ in intervals)
    assert all(one[1] <= other[0] for one, other in pairwise(intervals))


class Event(msgspec.Struct, forbid_unknown_fields=True):
    timestamp: datetime
    duration: float
    data: dict[str, Any]


class Bucket(msgspec.Struct, forbid_unknown_fields=True):
    """What aw-server's `import_bucket` takes of a bucket."""

    id: str
    type: str
    client: str
    hostname: str
    created: datetime
    events: list[Event]


class Buckets(msgspec.Struct, forbid_unknown_fields=True):
    buckets: dict[str, Bucket]


@pytest.mark.parametrize(("flags", "count"), [([], 1), (["--intervals"], 2)])
def test_activitywatch_gets_buckets_as_it_imports_them(
    state_dir: Path, antidrift: Antidrift, flags: list[str], count: int
) -> None:
    write_two(state_dir)
    text = exported(antidrift, "--format", "activitywatch", *flags)
    buckets = msgspec.json.decode(text, type=Buckets).buckets

    assert len(buckets) == count
    assert all(key == bucket.id for key, bucket in buckets.items())
    sessions, *windows = buckets.values()
    assert [each.duration for each in sessions.events] == [1120.75, 1120.75]
    assert sessions.events[0].data["title"] == HOSTILE
    assert sessions.created == sessions.events[0].timestamp == BEGAN
    for bucket in windows:
        assert bucket.type == "currentwindow"
        assert len(bucket.events) == 6
        assert bucket.events[1].data == {"app": "firefox", "title": "", "status": "drift"}


def test_timewarrior_has_no_place_for_intervals(state_dir: Path, antidrift: Antidrift) -> None:
    code, out, err = antidrift("export", "--format", "timewarrior", "--intervals")

    assert (code, out) == (2, "")
    assert "--intervals" in err


@pytest.mark.parametrize(
    ("name", "empty"),
    [("jsonl", ""), ("timewarrior", "[]"), ("activitywatch", '{"buckets":{}}')],
)
def test_without_a_history_the_export_is_empty_and_valid(
    state_dir: Path, antidrift: Antidrift, name: str, empty: str
) -> None:
    code, out, err = antidrift("export", "--format", name)

    assert (code, "".join(out.split())) == (0, empty)
    assert err == "no session has ended yet\n"


def test_a_file_appears_whole_and_is_private(
    state_dir: Path, tmp_path: Path, antidrift: Antidrift
) -> None:
    write_two(state_dir)
    expected = exported(antidrift)
    path = tmp_path / "out" / "laptop.jsonl"
    path.parent.mkdir()

    assert antidrift("export", "-o", str(path)) == (0, f"exported to {path}\n", "")
    assert path.read_text() == expected
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]
    code, out, _ = antidrift("export", "-o", str(path), "--json")
    assert (code, json.loads(out)) == (0, {"file": str(path)})


def test_an_export_that_fails_leaves_the_earlier_file_as_it_was(
    state_dir: Path, tmp_path: Path, antidrift: Antidrift
) -> None:
    rows = stretches("s1", *ROWS)
    write_history(state_dir, rows, ended(rows, ended=1e300))  # which no calendar has
    path = tmp_path / "out" / "laptop.jsonl"
    path.parent.mkdir()
    path.write_text("earlier\n")

    code, out, err = antidrift("export", "-o", str(path))
    assert (code, out) == (1, "")
    assert "can't be read" in err
    assert path.read_text() == "earlier\n"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("name", ["missing/laptop.jsonl", "."])
def test_a_file_that_cannot_be_is_told_in_one_line(
    state_dir: Path, tmp_path: Path, antidrift: Antidrift, name: str
) -> None:
    code, out, err = antidrift("export", "-o", str(tmp_path / name))

    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith("antidrift: ")


def test_a_reader_that_has_seen_enough_is_no_failure(state_dir: Path) -> None:
    write_two(state_dir)
    done = run_client("export", environ=os.environ, then="| head -c 1")

    assert (done.stdout, done.stderr) == (b"{", b"")


@pytest.mark.parametrize("name", ["jsonl", "timewarrior", "activitywatch"])
def test_memory_does_not_grow_with_the_history(tmp_path: Path, name: str) -> None:
    few, many = (peak_bytes(tmp_path / str(count), name, count) for count in (100, 600))

    # Kept, a session takes 6 KB without its intervals; Python's own free lists take some too.
    assert many < few + 2**20


def peak_bytes(state_dir: Path, name: str, sessions: int) -> int:
    """Return the most memory that an export of so many sessions takes."""
    state_dir.mkdir()
    make_year(state_dir / HISTORY_FILE, sessions=sessions, intervals=100)
    with open_history({"ANTIDRIFT_STATE_DIR": str(state_dir)}) as history:
        tracemalloc.start()
        for _ in lines_of(name, history, None, with_intervals=name != "timewarrior"):
            pass
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak

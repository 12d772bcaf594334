"""The verbs `log` and `report`, as they are typed."""

import json
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import Antidrift
from tests.cli.history.past import BEGAN, ended, led_away, reviewed, stretches, write_history

if TYPE_CHECKING:
    from antidriftd.core.recording_state import Record

HOSTILE = "\x1b[2J\u202e=1+1 " + "日" * 200

pytestmark = pytest.mark.usefixtures("berlin")


@pytest.fixture
def three(state_dir: Path) -> Path:
    """A history of three sessions: two with a review, one with text that means harm."""
    records: list[Record] = []
    for number in (1, 2, 3):
        rows = stretches(f"s{number}", ("code", 900.0 / number, "ontask"), ("mpv", 300.0, "drift"))
        start = (BEGAN + timedelta(days=number - 1)).timestamp()
        action = HOSTILE if number == 3 else f"write part {number}"
        records += [
            *rows,
            led_away(f"s{number}", f"mail\x1b[2J{HOSTILE}"),
            ended(rows, started=start, next_action=action),
        ]
    write_history(state_dir, records, reviewed("s1", "done"), reviewed("s2", "dropped"))
    return state_dir


@pytest.mark.usefixtures("three")
def test_log_lists_sessions_the_newest_last(antidrift: Antidrift) -> None:
    code, out, err = antidrift("log")

    assert (code, err) == (0, "")
    heading, first, second, third = out.splitlines()
    assert heading.split() == [
        *("began", "planned", "took", "on", "task", "drifts", "outcome", "next", "action"),
    ]
    assert first == "2026-11-30 09:00      25m      20m      75%       1  done     write part 1"
    assert second.split()[:6] == ["2026-12-01", "09:00", "25m", "12m", "30s", "60%"]
    assert third.startswith("2026-12-02 09:00")
    assert "  -  " in third
    assert "\\x1b[2J\\u202e=1+1" in third
    assert third.isprintable()
    assert len(third) < 130


@pytest.mark.usefixtures("three")
def test_log_can_be_limited(antidrift: Antidrift) -> None:
    assert antidrift("log", "-n", "1")[1].splitlines()[1].startswith("2026-12-02")
    assert len(antidrift("log", "--since", "2026-12-01")[1].splitlines()) == 3
    assert antidrift("log", "--since", "2027-01-01")[1] == "no session has ended since then\n"


def test_log_shows_the_last_twenty_unless_told_otherwise(
    state_dir: Path, antidrift: Antidrift
) -> None:
    records: list[Record] = []
    for number in range(25):
        rows = stretches(f"s{number}", ("code", 60.0, "ontask"))
        records += [*rows, ended(rows)]
    write_history(state_dir, records)

    assert len(antidrift("log")[1].splitlines()) == 21
    assert len(antidrift("log", "--since", "2026-11-30")[1].splitlines()) == 26
    assert len(antidrift("log", "-n", "23")[1].splitlines()) == 24


@pytest.mark.usefixtures("three")
def test_log_as_json_is_one_object(antidrift: Antidrift) -> None:
    code, out, err = antidrift("log", "--json")

    assert (code, err, out.count("\n"), out.isascii()) == (0, "", 1, True)
    sessions = json.loads(out)["sessions"]
    assert [each["session_id"] for each in sessions] == ["s1", "s2", "s3"]
    assert sessions[2]["next_action"] == HOSTILE


@pytest.mark.usefixtures("three")
def test_report_tells_where_the_time_went(antidrift: Antidrift) -> None:
    code, out, err = antidrift("report")

    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["3 sessions, 2026-11-30 to 2026-12-02", "planned 1h 15m, took 42m 30s"]
    assert all(line.isprintable() for line in lines)


@pytest.mark.usefixtures("three")
def test_jq_finds_that_the_numbers_of_a_report_add_up(antidrift: Antidrift) -> None:
    out = antidrift("report", "--json")[1]
    adds_up = (
        ".ontask_secs + .drift_secs + .unjudged_secs + .away_secs - .length_secs | fabs < 1e-6"
    )
    done = subprocess.run(
        ["jq", "-c", f"[.total, .days[], .hours[] | {adds_up}]"],
        input=out,
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(done.stdout) == [True] * 5


@pytest.mark.usefixtures("three")
def test_a_period_begins_with_a_day_here(
    antidrift: Antidrift, monkeypatch: pytest.MonkeyPatch
) -> None:
    wednesday = BEGAN + timedelta(days=2)
    monkeypatch.setattr("antidrift_cli.commands.report.now", wednesday.timestamp)

    def counted(*args: str) -> tuple[int, str]:
        result = json.loads(antidrift("report", "--json", *args)[1])
        return result["total"]["sessions"], result.get("since", "")

    assert counted() == (3, "")
    assert counted("--day") == (1, "2026-12-01T23:00:00Z")
    assert counted("--week") == (3, "2026-11-29T23:00:00Z")
    assert counted("--since", "2026-12-01") == (2, "2026-11-30T23:00:00Z")


@pytest.mark.usefixtures("three")
def test_csv_goes_out_as_lines(antidrift: Antidrift) -> None:
    code, out, err = antidrift("report", "--csv")

    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("section,name,sessions,")
    assert all(line.isprintable() and line.count(",") == 12 for line in lines)


@pytest.mark.usefixtures("state_dir")
@pytest.mark.parametrize(
    ("args", "shown"),
    [
        (["log"], "no session has ended yet\n"),
        (["log", "--json"], '{"sessions":[]}\n'),
        (["report"], "no session has ended yet\n"),
        (["report", "--week"], "no session has ended since then\n"),
    ],
    ids=str,
)
def test_without_a_history_there_is_nothing_to_see(
    antidrift: Antidrift, args: list[str], shown: str
) -> None:
    assert antidrift(*args) == (0, shown, "")


@pytest.mark.usefixtures("state_dir")
@pytest.mark.parametrize(
    "args",
    [
        ["report", "--day", "--week"],
        ["report", "--day", "--since", "2026-11-30"],
        ["report", "--csv", "--csv", "--since", "yesterday"],
        ["log", "--since", "0001-01-01"],
        ["log", "-n", "0"],
        ["export", "--since", "2026-13-01"],
        ["export", "--format", "xml"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_meant_is_a_usage_error(antidrift: Antidrift, args: list[str]) -> None:
    code, out, err = antidrift(*args)

    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith("antidrift: ")
    assert f"(see: antidrift {args[0]} --help)" in line


@pytest.mark.parametrize("verb", ["log", "report", "export"])
def test_a_history_that_cannot_be_read_is_one_line(
    state_dir: Path, antidrift: Antidrift, verb: str
) -> None:
    state_dir.mkdir()
    (state_dir / "history.sqlite3").write_text("dear diary\n" * 1000)

    code, out, err = antidrift(verb)
    assert (code, out) == (1, "")
    assert err == (
        f"antidrift: the history at {state_dir}/history.sqlite3 can't be read: "
        "file is not a database\n"
    )
    code, out, _ = antidrift(verb, "--json")
    assert (code, json.loads(out)["error"]["kind"]) == (1, "failed")

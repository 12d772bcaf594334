"""A report for a person, and for a spreadsheet."""

import csv
import io
from datetime import timedelta

import pytest

from antidrift_cli.history.report import report
from antidrift_cli.history.report_csv import COLUMNS, csv_lines
from antidrift_cli.history.report_text import report_lines
from antidrift_cli.history.sessions import Answer, PastSession
from antidrift_cli.live.look import Look
from antidrift_cli.visible import columns_of
from tests.cli.history.past import BEGAN, drifted, past, slot

PLAIN, UNICODE = Look(80, unicode=False), Look(80, unicode=True)
HOSTILE = "\x1b[2J\u202e=日本" * 50

pytestmark = pytest.mark.usefixtures("berlin")


def answer(cause: str) -> Answer:
    return Answer(at=BEGAN, kind="refocus", cause=cause)


def two_days() -> list[PastSession]:
    tomorrow = BEGAN + timedelta(days=1)
    return [
        past(
            ontask_secs=900.0,
            drift_secs=300.0,
            away_secs=300.0,
            drift_episodes=2,
            switches=9,
            outcome="done",
            by_class=(drifted("mpv", 100), drifted("firefox", 200)),
            by_slot=(slot(BEGAN, 900), slot(BEGAN, 300, "drift"), slot(BEGAN, 300, "away")),
            answers=(answer("mail"), answer("mail"), answer("hunger")),
        ),
        past(session_id="s2", started=tomorrow, by_slot=(slot(tomorrow.replace(hour=9), 1500),)),
    ]


def test_it_tells_the_sums_what_pulled_away_the_hours_and_the_days() -> None:
    assert report_lines(report(two_days()), PLAIN) == [
        "2 sessions, 2026-11-30 to 2026-12-01",
        "planned 50m, took 50m",
        "ended: done 1, not reviewed 1",
        "drifts: 2, window switches: 9",
        "where the time went:",
        "  on task   ###################       40m",
        "  drift     !!                        5m",
        "  unjudged                            0s",
        "  away      ..                        5m",
        "  89% of the time you were there went to the task",
        "what pulled away:",
        "  firefox  !!!!!!!!!!!!!!!!!!!!!!!!  3m 20s",
        "  mpv      !!!!!!!!!!!!              1m 40s",
        "what led away, as you said:",
        "    2x  mail",
        "    1x  hunger",
        "on task by the hour (the longest bar: 25m):",
        "  09:00  ##############             75% of 20m",
        "  10:00  ########################  100% of 25m",
        "  best: 10:00, 09:00",
        "by the day:",
        "         day  sessions  planned  took  on task  drifts",
        "  2026-11-30         1      25m   25m      75%       2",
        "  2026-12-01         1      25m   25m     100%       0",
    ]


def test_without_unicode_it_is_ascii_and_with_it_has_bars_of_blocks() -> None:
    sessions = [past(by_class=(drifted("日本", 1),), answers=(answer("é"),))]
    plain, pretty = (report_lines(report(sessions), look) for look in (PLAIN, UNICODE))

    assert all(line.isascii() for line in plain)
    assert any("█" in line for line in pretty)
    assert any("日本" in line for line in pretty)


def test_names_that_are_wide_keep_the_bars_in_a_column() -> None:
    sessions = [past(by_class=(drifted("日本", 60), drifted("code", 60), drifted("", 60)))]
    lines = report_lines(report(sessions), UNICODE)

    bars = [line for line in lines if "▒▒▒▒" in line]
    assert len(bars) == 3
    assert len({columns_of(line.partition("▒")[0]) for line in bars}) == 1


def test_long_lists_are_cut_and_say_so() -> None:
    sessions = [
        past(
            session_id=f"s{number}",
            started=BEGAN + timedelta(days=number),
            by_class=(drifted(f"class{number}", 60 + number),),
            answers=(answer(f"cause{number}"),),
        )
        for number in range(20)
    ]
    lines = report_lines(report(sessions), PLAIN)

    assert lines.count("  and 12 more: see --csv") == 2
    assert lines[-1] == "  and 6 days before: see --csv"
    assert lines[-2].startswith("  2026-12-19")


def test_sessions_of_several_machines_say_so() -> None:
    lines = report_lines(report([past(), past(session_id="s2", host="b")]), PLAIN)

    assert lines[0] == "2 sessions, 2026-11-30, from 2 machines"


def test_nothing_is_one_line() -> None:
    assert report_lines(report([]), PLAIN) == ["no session has ended yet"]
    assert report_lines(report([], BEGAN), PLAIN) == ["no session has ended since then"]


@pytest.mark.parametrize("look", [PLAIN, UNICODE], ids=["ascii", "unicode"])
def test_text_from_outside_is_made_visible_and_cut(look: Look) -> None:
    sessions = [past(by_class=(drifted(HOSTILE, 60),), answers=(answer(HOSTILE),))]

    for line in report_lines(report(sessions), look):
        assert line.isprintable()
        assert "\u202e" not in line
        assert columns_of(line) <= 80


def rows_of(sessions: list[PastSession]) -> list[dict[str, str]]:
    text = "\n".join(csv_lines(report(sessions)))
    return list(csv.DictReader(io.StringIO(text), strict=True))


def test_csv_has_every_figure_of_the_report() -> None:
    rows = rows_of(two_days())

    assert set(rows[0]) == set(COLUMNS)
    assert [(row["section"], row["name"]) for row in rows] == [
        ("total", ""),
        ("outcome", "done"),
        ("outcome", "none"),
        ("pulled_away", "firefox"),
        ("pulled_away", "mpv"),
        ("cause", "mail"),
        ("cause", "hunger"),
        ("hour", "09:00"),
        ("hour", "10:00"),
        ("day", "2026-11-30"),
        ("day", "2026-12-01"),
    ]
    assert rows[0]["length_secs"] == "3000.0"
    assert rows[3]["drift_secs"] == "200.0"
    assert rows[5]["times"] == "2"
    assert (rows[9]["planned_secs"], rows[9]["ontask_share"]) == ("1500", "0.75")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", " =", "\uff1d"])
def test_no_cell_of_csv_is_a_formula(start: str) -> None:
    hostile = f'{start}cmd|" /C calc"!A0, \n"x'
    sessions = [past(by_class=(drifted(hostile, 60),), answers=(answer(hostile),))]
    names = {row["section"]: row["name"] for row in rows_of(sessions)}

    for section in ("pulled_away", "cause"):
        assert names[section].startswith(("'", "cmd"))
        assert names[section].isprintable()

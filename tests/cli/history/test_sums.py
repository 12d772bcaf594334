"""Every figure of a report is what a count of the raw intervals gives, whichever way it is made."""

import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antidrift_cli.history import summing
from antidrift_cli.history.reading import open_history
from antidrift_cli.history.report import Report, report
from antidriftd.core.recording_state import Interval, Record
from tests.cli.history.past import (
    BEGAN,
    BERLIN,
    ended,
    led_away,
    reviewed,
    set_zone,
    stretches,
    write_history,
)

ROWS = st.lists(
    st.tuples(
        st.sampled_from(["code", "mpv", "firefox", ""]),
        st.integers(1, 40_000).map(lambda eighths: eighths / 8),
        st.sampled_from(["ontask", "drift", "unjudged", "away"]),
    ),
    min_size=1,
    max_size=6,
)
STARTS = st.integers(0, 400 * 96).map(lambda quarters: BEGAN.timestamp() + quarters * 900 + 0.5)
SESSIONS = st.lists(st.tuples(ROWS, STARTS, st.sampled_from(["", "done"])), max_size=4)


@given(SESSIONS)
@settings(max_examples=30, deadline=None)
def test_the_sums_of_a_report_are_those_of_the_intervals(
    sessions: list[tuple[list[tuple[str, float, str]], float, str]],
) -> None:
    records: list[Record] = []
    for number, (rows, start, outcome) in enumerate(sessions):
        intervals = [moved(each, start) for each in stretches(f"s{number}", *rows)]
        records += [*intervals, led_away(f"s{number}", "mail"), ended(intervals)]
        if outcome:
            records.append(reviewed(f"s{number}", outcome))
    with TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as patch:
        set_zone(patch, BERLIN)
        state_dir = Path(directory) / "state"
        write_history(state_dir, records)
        summed, counted = both_reports(state_dir)
    time.tzset()

    assert summed == counted
    check(summed, [each for each in records if isinstance(each, Interval)])


def moved(interval: Interval, start: float) -> Interval:
    return replace(interval, began=interval.began - BEGAN.timestamp() + start)


def both_reports(state_dir: Path, since: datetime | None = None) -> tuple[Report, Report]:
    with open_history({"ANTIDRIFT_STATE_DIR": str(state_dir)}) as history:
        assert history
        return summing.report(history, since), report(history.sessions(since), since)


def check(result: Report, intervals: list[Interval]) -> None:
    """Count the figures once more. All lengths are eighths, so that sums of them are exact."""
    total = result.total
    secs: Counter[str] = Counter()
    drifted: Counter[str] = Counter()
    for each in intervals:
        secs[each.bucket] += int(each.secs * 8)
        if each.bucket == "drift":
            drifted[each.window_class] += int(each.secs * 8)
    assert total.ontask_secs == secs["ontask"] / 8
    assert total.drift_secs == secs["drift"] / 8
    assert total.unjudged_secs == secs["unjudged"] / 8
    assert total.away_secs == secs["away"] / 8
    assert total.length_secs == secs.total() / 8
    assert total.drift_episodes == sum(each.drift_episodes for each in intervals)
    assert total.switches == sum(each.switches for each in intervals)
    assert {each.window_class: each.drift_secs for each in result.pulled_away} == {
        name: eighths / 8 for name, eighths in drifted.items()
    }
    for rows in (result.days, result.hours):
        for member in ("length_secs", "ontask_secs", "drift_secs", "unjudged_secs", "away_secs"):
            assert sum(getattr(row, member) for row in rows) == pytest.approx(
                getattr(total, member), abs=0.02
            )


@pytest.mark.usefixtures("berlin")
def test_both_ways_leave_out_what_began_before(state_dir: Path) -> None:
    records: list[Record] = []
    for number, start in enumerate((BEGAN, BEGAN.replace(day=29), BEGAN.replace(hour=23))):
        rows = stretches(f"s{number}", ("code", 60.0, "ontask"), ("mpv", 30.0, "drift"))
        rows = [moved(each, start.timestamp()) for each in rows]
        records += [*rows, led_away(f"s{number}", "mail"), ended(rows)]
    write_history(state_dir, records)

    summed, counted = both_reports(state_dir, BEGAN)
    assert summed == counted
    assert [(day.day, day.length_secs) for day in summed.days] == [
        ("2026-11-30", 90),
        ("2026-12-01", 90),
    ]
    assert [(hour.hour, hour.length_secs) for hour in summed.hours] == [
        ("00:00", 90),
        ("09:00", 90),
    ]
    assert (summed.total.sessions, summed.causes[0].times) == (2, 2)
    assert summed.pulled_away[0].drift_secs == 60


@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize("secs", [0.0, 0.0004, 0.9994, 0.9996])
def test_the_last_moment_of_a_day_is_of_that_day_both_ways(state_dir: Path, secs: float) -> None:
    midnight = datetime(2026, 11, 30, 23, tzinfo=UTC).timestamp()
    rows = [moved(each, midnight - 1 + secs) for each in stretches("s1", ("code", 60.0, "ontask"))]
    write_history(state_dir, rows, ended(rows))

    summed, counted = both_reports(state_dir)
    assert summed == counted
    assert [day.day for day in summed.days] == ["2026-11-30"]

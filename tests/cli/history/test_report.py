"""What sessions add up to."""

from datetime import UTC, datetime

import pytest

from antidrift_cli.history.report import Cause, PulledAway, report
from antidrift_cli.history.sessions import Answer
from tests.cli.history.past import BEGAN, drifted, past, slot


def test_the_four_kinds_of_time_make_the_length() -> None:
    sessions = [
        past(ontask_secs=0.1, drift_secs=0.2, unjudged_secs=0.3, away_secs=1000.0004),
        past(session_id="s2", ontask_secs=1234.567, drift_secs=1.0),
    ]
    total = report(sessions).total

    assert total.ontask_secs == 1234.667
    assert total.length_secs == pytest.approx(
        total.ontask_secs + total.drift_secs + total.unjudged_secs + total.away_secs, abs=1e-9
    )


def test_planned_time_and_episodes_and_switches_add_up() -> None:
    total = report(
        [
            past(timebox_secs=1500, drift_episodes=2, switches=7),
            past(session_id="s2", timebox_secs=900, drift_episodes=1, switches=1),
        ]
    ).total

    assert (total.sessions, total.planned_secs) == (2, 2400)
    assert (total.drift_episodes, total.switches) == (3, 8)


def test_the_share_on_task_is_of_the_time_in_which_somebody_was_there() -> None:
    session = past(ontask_secs=600.0, drift_secs=200.0, unjudged_secs=200.0, away_secs=9000.0)

    assert report([session]).total.ontask_share == 0.6


def test_without_anybody_there_is_no_share() -> None:
    session = past(ontask_secs=0.0, away_secs=9000.0)

    assert report([session]).total.ontask_share is None


def test_nothing_adds_up_to_nothing() -> None:
    result = report([])

    assert (result.total.sessions, result.total.length_secs, result.hosts) == (0, 0, 0)
    assert [*result.hours, *result.days, *result.causes, *result.pulled_away] == []


def test_a_session_without_a_review_is_counted_as_such() -> None:
    result = report([past(), past(session_id="s2", outcome="done"), past(session_id="s3")])

    assert result.outcomes == {"done": 1, "none": 2}


def test_what_pulled_away_is_drift_alone_the_most_first() -> None:
    sessions = [
        past(by_class=(drifted("mpv", 10), drifted("firefox", 8))),
        past(session_id="s2", by_class=(drifted("firefox", 5.25),)),
    ]

    assert report(sessions).pulled_away == (
        PulledAway(window_class="firefox", drift_secs=13.25),
        PulledAway(window_class="mpv", drift_secs=10.0),
    )


def test_causes_are_counted_however_they_are_spaced() -> None:
    causes = ["mail", "hunger", " mail  ", ""]
    answers = tuple(Answer(at=BEGAN, kind="refocus", cause=cause) for cause in causes)

    assert report([past(answers=answers)]).causes == (Cause("mail", 2), Cause("hunger", 1))


def test_machines_are_counted() -> None:
    assert report([past(host="a"), past(host="b"), past(host="a")]).hosts == 2


@pytest.mark.usefixtures("berlin")
def test_a_session_counts_for_the_day_on_which_it_began_here() -> None:
    late, later = datetime(2026, 7, 1, 21, 59, tzinfo=UTC), datetime(2026, 7, 1, 22, tzinfo=UTC)
    days = report([past(started=late), past(session_id="s2", started=later)]).days

    assert [(day.day, day.sessions) for day in days] == [("2026-07-01", 1), ("2026-07-02", 1)]


@pytest.mark.usefixtures("berlin")
def test_the_hour_that_comes_twice_in_autumn_has_the_time_of_both() -> None:
    quarters = [
        datetime(2026, 10, 24, 23, 45, tzinfo=UTC),  # 01:45
        datetime(2026, 10, 25, 0, 0, tzinfo=UTC),  # 02:00 in summer time
        datetime(2026, 10, 25, 1, 45, tzinfo=UTC),  # 02:45 in winter time
        datetime(2026, 10, 25, 2, 0, tzinfo=UTC),  # 03:00
    ]
    session = past(by_slot=tuple(slot(each, 600) for each in quarters))

    hours = report([session]).hours
    assert [(each.hour, each.ontask_secs) for each in hours] == [
        ("01:00", 600),
        ("02:00", 1200),
        ("03:00", 600),
    ]


@pytest.mark.usefixtures("berlin")
def test_the_hour_that_is_left_out_in_spring_has_no_time() -> None:
    quarters = [
        datetime(2026, 3, 29, 0, 45, tzinfo=UTC),  # 01:45
        datetime(2026, 3, 29, 1, 0, tzinfo=UTC),  # 03:00
    ]
    session = past(by_slot=tuple(slot(each, 600) for each in quarters))

    assert [each.hour for each in report([session]).hours] == ["01:00", "03:00"]


@pytest.mark.usefixtures("berlin")
def test_the_same_hour_here_is_one_hour_in_winter_and_in_summer() -> None:
    quarters = (datetime(2026, 1, 5, 8, tzinfo=UTC), datetime(2026, 7, 6, 7, tzinfo=UTC))
    session = past(by_slot=tuple(slot(each, 600) for each in quarters))

    (hour,) = report([session]).hours
    assert (hour.hour, hour.ontask_secs) == ("09:00", 1200)


@pytest.mark.usefixtures("kathmandu")
def test_where_the_clock_is_three_quarters_off_hours_are_still_hours() -> None:
    quarters = [BEGAN.replace(minute=minute) for minute in (0, 15, 30)]  # from 13:45
    session = past(by_slot=tuple(slot(each, 600) for each in quarters))

    hours = report([session]).hours
    assert [(each.hour, each.ontask_secs) for each in hours] == [("13:00", 600), ("14:00", 1200)]


@pytest.mark.usefixtures("berlin")
def test_the_best_hours_are_those_with_most_of_their_time_on_task() -> None:
    eight, nine, ten, eleven, noon = (BEGAN.replace(hour=hour) for hour in (7, 8, 9, 10, 11))
    rows = (
        slot(eight, 300),
        slot(eight, 300, "drift"),
        slot(nine, 800),
        slot(nine, 100, "unjudged"),
        slot(ten, 600),
        slot(ten, 300, "away"),
        slot(eleven, 30),  # all of it on task, but hardly any
        slot(noon, 900, "drift"),
    )

    assert report([past(by_slot=rows)]).best_hours == ("10:00", "09:00", "08:00")

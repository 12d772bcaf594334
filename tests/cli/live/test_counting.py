"""Counting along between two States."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from antidrift_cli.live.counting import (
    counted,
    secs_left,
    secs_to_next_change,
    secs_to_next_second,
)
from antidrift_cli.render_time import length_secs
from protocol import views
from tests.cli.samples import ACTIVE, AWAY, DRIFTING, IDLE, IN_TERMINAL, NOON, PAUSED, REVIEW

AS_OF = NOON.timestamp() + 600


def sums(evidence: views.Evidence | None) -> tuple[float, float, float, float]:
    assert evidence
    return (
        evidence.ontask_secs,
        evidence.drift_secs,
        evidence.unjudged_secs,
        evidence.away_secs,
    )


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (ACTIVE, (487, 60, 60, 0)),
        (DRIFTING, (480, 67, 60, 0)),
        (IN_TERMINAL, (480, 60, 67, 0)),
        (replace(ACTIVE, drift=views.Drift(status="pending")), (480, 60, 67, 0)),
        (replace(ACTIVE, drift=None), (480, 60, 67, 0)),
        (AWAY, (480, 60, 60, 7)),
        (PAUSED, (480, 60, 60, 7)),
        (replace(DRIFTING, away=AWAY.away), (480, 60, 60, 7)),
        (REVIEW, (480, 60, 60, 0)),
    ],
    ids=[
        *("on task", "drifting", "idle", "pending", "no drift"),
        *("away", "paused", "away in a drift", "review"),
    ],
)
def test_time_goes_to_the_status_in_force(
    state: views.State, expected: tuple[float, float, float, float]
) -> None:
    assert sums(counted(state, AS_OF + 7)) == expected


def test_the_classes_add_up_to_the_session_and_the_largest_comes_first() -> None:
    state = replace(DRIFTING, window=views.Window(window_class="mpv", title="x", since=NOON))
    evidence = counted(state, AS_OF + 1000)

    assert evidence
    assert [(row.window_class, row.status) for row in evidence.by_class[:2]] == [
        ("mpv", "drift"),
        ("code", "ontask"),
    ]
    known = sum(row.secs for row in evidence.by_class)
    assert known == pytest.approx(length_secs(evidence) + 0.2)


def test_a_stale_session_counts_nothing() -> None:
    assert ACTIVE.commitment
    stale = replace(ACTIVE, commitment=replace(ACTIVE.commitment, stale=True))

    assert counted(stale, AS_OF + 99999) == ACTIVE.evidence
    assert secs_left(stale, AS_OF) is None


def test_a_clock_that_was_set_back_takes_nothing_away() -> None:
    assert sums(counted(ACTIVE, AS_OF - 50)) == sums(ACTIVE.evidence)


def test_without_a_session_there_is_nothing_to_count() -> None:
    assert counted(IDLE, AS_OF) is None
    assert secs_left(IDLE, AS_OF) is None
    assert secs_left(REVIEW, AS_OF) is None


def test_what_is_left_falls_below_nothing_in_overtime() -> None:
    assert ACTIVE.commitment
    end = ACTIVE.commitment.ends_at

    assert secs_left(ACTIVE, (end - timedelta(seconds=3)).timestamp()) == 3
    assert secs_left(ACTIVE, (end + timedelta(seconds=3)).timestamp()) == -3


def test_a_pause_stops_the_countdown_and_time_away_still_reads_differently_each_second() -> None:
    assert secs_left(PAUSED, AS_OF) == secs_left(PAUSED, AS_OF + 9999) == 900
    assert secs_to_next_change(PAUSED, AS_OF + 0.25) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("left", "expected"), [(10.0, 1.0), (9.25, 0.25), (0.5, 0.5), (0.0, 1.0), (-0.25, 0.75)]
)
def test_a_shown_second_lasts_until_the_next(left: float, expected: float) -> None:
    assert secs_to_next_second(left) == expected

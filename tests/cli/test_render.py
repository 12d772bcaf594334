"""The State in lines: every phase, every verdict, and nothing that a title could forge."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from antidrift_cli.render import drift_lines, phase_line, status_lines, window_text
from antidrift_cli.render_time import time_left
from protocol import views
from tests.cli.samples import (
    ACTIVE,
    AWAY,
    DRIFTING,
    IDLE,
    IN_TERMINAL,
    NOON,
    OPEN,
    PAUSED,
    PLANNING,
    REVIEW,
    TEN_PAST,
    VIDEO,
)

HOSTILE_TITLE = (
    "x \x1b[2J \x1b]52;c;QQ==\x07\x9b\x7f\nactive: forged \u202e\u2066\u200b\u2028\ud800"
)
ANSWERS = "answer: antidrift ontask (it belongs) or antidrift refocus (back to it)"


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (IDLE, "idle: nothing planned; begin with: antidrift plan WHAT"),
        (PLANNING, "planning: write the chapter; begin with: antidrift start"),
        (replace(PLANNING, intent=""), "planning: no intent yet; begin with: antidrift start WHAT"),
        (ACTIVE, "active: write the chapter"),
        (REVIEW, "review: write the chapter"),
    ],
)
def test_the_phase_comes_first(state: views.State, line: str) -> None:
    assert status_lines(state)[0] == phase_line(state) == line


@pytest.mark.parametrize(
    ("drift", "lines"),
    [
        (views.Drift(status="ontask"), ["drift: on task"]),
        (views.Drift(status="pending"), ["drift: being judged"]),
        (views.Drift(status="idle"), ["drift: not judged"]),
        (
            views.Drift(status="idle", reason="the judge timed out"),
            ["drift: not judged (the judge timed out)"],
        ),
        (views.Drift(status="drifting", reason="a game"), ["drift: drifting (a game)"]),
    ],
)
def test_each_verdict_has_its_words(drift: views.Drift, lines: list[str]) -> None:
    assert drift_lines(replace(ACTIVE, drift=drift)) == lines


def test_a_drift_in_front_asks_for_an_answer_once() -> None:
    assert drift_lines(DRIFTING) == ["drift: drifting (a video site)", ANSWERS]


def test_an_open_drift_is_shown_while_something_else_is_in_front() -> None:
    assert drift_lines(IN_TERMINAL)[1].startswith(
        "unanswered: drifted to firefox: Funny cats - YouTube"
    )
    other = replace(VIDEO, title="a game")
    now_another = views.Drift(status="drifting", subject=other, open_drift=OPEN)
    assert "Funny cats" in drift_lines(replace(DRIFTING, drift=now_another))[1]


def test_an_open_drift_is_past_while_the_window_in_front_is_on_task() -> None:
    drift = views.Drift(status="ontask", open_drift=OPEN)

    assert drift_lines(replace(ACTIVE, drift=drift)) == [
        "drift: on task",
        "earlier: drifted to firefox: Funny cats - YouTube (a video site)",
        ANSWERS,
    ]


def test_while_nobody_is_there_an_open_drift_is_unanswered_and_nothing_is_judged() -> None:
    unanswered = "unanswered: drifted to firefox: Funny cats - YouTube (a video site)"

    for drift in (DRIFTING.drift, views.Drift(status="ontask", open_drift=OPEN)):
        assert drift_lines(replace(PAUSED, drift=drift)) == [unanswered, ANSWERS]
    assert drift_lines(AWAY) == []


@pytest.mark.parametrize(
    ("reason", "word"), [("idle", "idle"), ("locked", "screen locked"), ("asleep", "asleep")]
)
def test_an_absence_says_since_when_and_why(reason: views.AwayReason, word: str) -> None:
    away = replace(ACTIVE, away=views.Away(reason=reason, since=TEN_PAST))
    since = TEN_PAST.astimezone().strftime("%H:%M")

    assert f"away since {since} ({word}): nothing is judged meanwhile" in status_lines(away)


def test_without_a_session_there_is_no_drift() -> None:
    assert drift_lines(IDLE) == []


def test_a_stale_session_says_so_and_what_to_do() -> None:
    assert ACTIVE.commitment
    stale = replace(ACTIVE, commitment=replace(ACTIVE.commitment, stale=True))
    lines = status_lines(stale)

    [line] = [line for line in lines if line.startswith("stale: ")]
    assert "antidrift extend 25m" in line
    assert "antidrift complete" in line
    assert not any(line.startswith("drift: ") for line in lines)


@pytest.mark.parametrize(
    ("minutes", "shown"), [(0, "25m left"), (25, "0s left"), (28.5, "overtime 3m 30s")]
)
def test_time_left_is_counted_to_the_daemons_own_moment(minutes: float, shown: str) -> None:
    assert ACTIVE.evidence
    as_of = NOON + timedelta(minutes=minutes)

    assert time_left(replace(ACTIVE, evidence=replace(ACTIVE.evidence, as_of=as_of))) == shown


def test_a_sensor_that_sees_nothing_says_why() -> None:
    blind = views.Sensor(name="auto", status="unavailable", detail="no display")

    assert "sensor: can't see your windows (auto: no display)" in status_lines(
        replace(IDLE, sensor=blind)
    )
    assert "window: none" not in status_lines(replace(IDLE, sensor=blind))


def test_a_window_in_front_or_none_is_named() -> None:
    assert "window: none" in status_lines(IDLE)
    assert "window: code: chapter.md" in status_lines(ACTIVE)
    assert window_text(views.Subject(window_class="", title="A game")) == "unnamed program: A game"


def test_a_session_in_review_shows_where_its_time_went() -> None:
    lines = status_lines(REVIEW)

    assert "time: planned 25m, took 10m" in lines
    assert "close it with: antidrift review" in lines


def test_a_very_long_title_or_reason_is_cut() -> None:
    long = replace(VIDEO, title="日" * 1024, window_class="c" * 256)
    drift = views.Drift(
        status="idle",
        reason="r" * 5000,
        open_drift=replace(OPEN, subject=long, reason="r" * 5000),
    )

    nudged = replace(ACTIVE, drift=drift, nudge=views.Nudge(text="n" * 5000, at=NOON))
    assert all(len(line) < 500 for line in status_lines(nudged))
    assert len(window_text(long)) < 120


def test_a_nudge_comes_after_the_verdict() -> None:
    lines = status_lines(replace(ACTIVE, nudge=views.Nudge(text="halfway there", at=NOON)))

    assert lines[lines.index("drift: on task") + 1] == "nudge: halfway there"

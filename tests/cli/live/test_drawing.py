"""What the view shows: a picture is a State, a time and a size."""

import pytest
from msgspec.structs import replace

from antidrift_cli.live.drawing import View, draw, due_secs
from antidrift_cli.live.look import Look
from protocol import views
from tests.cli.live.drawn import AS_OF, BLIND, EARLIER, END, STALE, rows
from tests.cli.samples import (
    ACTIVE,
    ASKED,
    AWAY,
    BACK,
    DRIFTING,
    IDLE,
    IN_TERMINAL,
    NO_PROPOSAL,
    NOON,
    PAUSED,
    PLANNING,
    PROPOSED,
    REVIEW,
    TASKS,
    TEN_PAST,
    grounded,
)

SINCE = TEN_PAST.astimezone().strftime("%H:%M")
FILM = views.OpenDrift(
    subject=views.Subject(window_class="mpv", title="film"), reason="a film", since=NOON
)
TABBED = views.Window(window_class="firefox", title="(1) Funny cats - YouTube", since=NOON)
assert DRIFTING.drift
SECOND_DRIFT = replace(DRIFTING, drift=replace(DRIFTING.drift, open_drift=FILM))


def test_a_session_shows_its_task_its_time_and_its_window() -> None:
    shown = rows(ACTIVE)

    assert shown[:2] == ["active: write the chapter", "done when: a friend can read it"]
    assert shown[2].startswith("█")
    assert shown[2].endswith("15m left of 25m")
    assert "window: code: chapter.md" in shown
    assert shown[shown.index("window: code: chapter.md") + 1] == "  on task"
    assert shown[-1] == "o on task, r refocus, c complete, p pause, + 5 min, q quit"


def test_the_countdown_runs_and_its_bar_with_it() -> None:
    first, later = rows(ACTIVE)[2], rows(ACTIVE, at=END - 60.5)[2]

    assert later.endswith("1m 01s left of 25m")
    assert 0 < later.count("█") < first.count("█")


def test_after_the_timebox_it_says_so_and_counts_up() -> None:
    assert rows(ACTIVE, at=END - 0.1)[2].endswith("1s left of 25m")
    assert rows(ACTIVE, at=END)[2] == "time is up: overtime 0s (25m)"
    assert rows(ACTIVE, at=END + 192.9)[2] == "time is up: overtime 3m 12s (25m)"


def test_a_drift_comes_before_everything_but_the_task_and_its_time() -> None:
    shown = rows(DRIFTING)
    at = shown.index(" DRIFTING  firefox: Funny cats - YouTube")

    assert at == 4
    assert shown[at + 1 : at + 3] == [
        "  why: a video site",
        "  o it belongs to the task, r back to it",
    ]


def test_a_drift_in_front_is_named_once() -> None:
    assert [row for row in rows(DRIFTING) if "Funny cats" in row] == [rows(DRIFTING)[4]]


def test_a_drift_left_behind_is_unanswered_and_on_task_it_is_past() -> None:
    assert "UNANSWERED DRIFT firefox: Funny cats - YouTube" in rows(IN_TERMINAL)
    assert "earlier, unanswered: firefox: Funny cats - YouTube" in rows(EARLIER)


def test_a_second_drift_names_the_one_that_is_open() -> None:
    assert "UNANSWERED DRIFT mpv: film" in rows(SECOND_DRIFT)


@pytest.mark.parametrize(
    ("state", "verdict"),
    [
        (replace(DRIFTING, window=TABBED), "  drifting"),
        (SECOND_DRIFT, "  drifting: a video site"),
        (IN_TERMINAL, "  not judged yet"),
        (replace(ACTIVE, drift=views.Drift(status="idle", reason="gave up")), "gave up"),
        (replace(ACTIVE, drift=views.Drift(status="pending")), "  being judged"),
        (BLIND, "  not judged: your windows can't be seen"),
        (
            replace(ACTIVE, window=None, drift=views.Drift(status="idle")),
            "  not judged: no window is in front",
        ),
    ],
)
def test_what_is_held_of_the_window_in_front_is_said(state: views.State, verdict: str) -> None:
    assert any(verdict in row for row in rows(state))


def test_time_by_class_has_a_name_a_word_and_a_pattern_each() -> None:
    shown = rows(DRIFTING)
    code, firefox, nameless = (
        next(row for row in shown if row.startswith(f"  {name} ") and "m" in row[-60:])
        for name in ("code", "firefox", "no program seen")
    )

    assert "on task       8m █" in code
    assert "drift         1m ▒" in firefox
    assert "unjudged      1m ░" in nameless
    assert code.count("█") > firefox.count("▒") > 0
    assert not any(row.startswith("  xterm") for row in shown)


def test_the_totals_move_while_no_state_comes() -> None:
    assert "on task: 80 % (8m of 10m)" in rows(ACTIVE)
    assert "on task: 90 % (18m of 20m)" in rows(ACTIVE, at=AS_OF + 600)


def test_time_away_is_no_part_of_the_share() -> None:
    assert ACTIVE.evidence
    evidence = replace(ACTIVE.evidence, unjudged_secs=0, away_secs=60)

    assert "on task: 88 % (8m of 9m)" in rows(replace(ACTIVE, evidence=evidence))


def test_nobody_counts_while_the_daemon_is_away_but_the_end_comes_nearer() -> None:
    view = View(ACTIVE, AS_OF + 600, counted_until=AS_OF + 60)
    shown = [row.plain for row in draw(view, Look(80, unicode=True), 24)]

    assert "on task: 81 % (9m of 11m)" in shown
    assert shown[2].endswith(" 5m left of 25m")


def test_a_stale_session_says_so_and_offers_no_answers() -> None:
    shown = rows(replace(STALE, drift=DRIFTING.drift), at=END + 99999)

    assert shown[2].startswith("stale: left behind, so nothing is judged or counted")
    assert "on task: 80 % (8m of 10m)" in shown
    assert shown[-1] == "c complete, + 5 min, q quit"
    assert not any("DRIFT" in row or "overtime" in row for row in shown)


def test_a_pause_stops_the_countdown_and_says_since_when() -> None:
    shown = rows(replace(PAUSED, drift=DRIFTING.drift), at=AS_OF + 600)

    assert shown[2].endswith("15m left of 25m")
    assert shown[3] == f"paused since {SINCE}"
    assert "unanswered drift: firefox: Funny cats - YouTube" in shown
    assert "  not judged: paused" in shown
    assert "  drift 1m, unjudged 1m, away 10m" in shown
    assert shown[-1].startswith("p resume, ")
    assert not any("DRIFT" in row for row in shown)


def test_an_absence_is_shown_beside_the_countdown_which_runs() -> None:
    shown = rows(AWAY, at=AS_OF + 300)

    assert shown[2].endswith("10m left of 25m")
    assert shown[3] == f"away since {SINCE} (idle)"
    assert "  not judged: nobody is there" in shown
    assert "  drift 1m, unjudged 1m, away 5m" in shown
    assert rows(AWAY, at=END + 60)[2:4] == ["time is up: overtime 1m (25m)", shown[3]]


def test_on_return_the_absence_can_be_added_for_five_minutes() -> None:
    assert rows(BACK, at=AS_OF + 720)[-1].startswith("a add 12m away, o on task, ")
    assert rows(BACK, at=AS_OF + 1020)[-1].startswith("o on task, ")


def test_planning_shows_the_proposal_the_profile_and_the_tasks() -> None:
    tasks = views.Tasks(status="ready", items=TASKS)
    state = replace(grounded("ready"), coach=PROPOSED.coach, tasks=tasks)
    shown = rows(state)

    assert shown[0] == "planning: write the chapter"
    assert shown[2:9] == [
        "proposal: write its first page (25m)",
        "  done when: a friend has the page",
        "  allowed: code, evince",
        "grounded by me.md",
        "2 tasks; antidrift tasks lists them",
        "   1  write the report",
        "   2  call Ann",
    ]
    assert shown[-1] == "begin: antidrift start, q quit"
    assert "coach: asked, no answer yet" in rows(ASKED)
    assert "coach: no proposal (no login)" in rows(NO_PROPOSAL)


def test_a_review_says_where_the_time_went_and_what_to_type() -> None:
    shown = rows(REVIEW, at=END + 9999)

    assert "time: planned 25m, took 10m" in shown
    assert "window switches: 3, drifts: 1" in shown
    assert "on task: 80 % (8m of 10m)" in shown
    assert shown[-1] == "close it: antidrift review, q quit"


def test_idle_says_how_to_begin() -> None:
    assert rows(IDLE) == [
        "idle: nothing planned",
        "",
        "window: none",
        "",
        "antidrift plan WHAT        say what you want to get done",
        "antidrift coach WHAT       the same, and have the next step proposed",
        "antidrift tasks            list today's tasks",
        "",
        "begin: antidrift plan WHAT, q quit",
    ]


def test_troubles_a_nudge_and_messages_are_shown() -> None:
    state = replace(
        BLIND, nudge=views.Nudge(text="halfway", at=NOON), notices=("no claude",), durable=False
    )
    shown = rows(state, "the daemon is back")

    assert "sensor: can't see your windows (x11: the display is gone)" in shown
    assert {"nudge: halfway", "notice: no claude", "the daemon is back"} <= set(shown)
    assert "saving: not everything is on disk yet" in shown


@pytest.mark.parametrize("state", [IDLE, PLANNING, REVIEW, STALE], ids=lambda each: each.runtime)
def test_nothing_is_due_while_nothing_counts(state: views.State) -> None:
    assert due_secs(View(state, AS_OF)) is None


def test_a_running_session_is_due_at_the_next_second() -> None:
    assert due_secs(View(ACTIVE, AS_OF + 0.25)) == pytest.approx(0.75)
    assert due_secs(View(PAUSED, AS_OF + 0.25)) == pytest.approx(0.75)

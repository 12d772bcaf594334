"""What changes as lines: each thing once, when it is new."""

import re

import pytest
from msgspec.structs import replace

from antidrift_cli.live.lines import changes
from protocol import views
from tests.cli.fake_daemon import (
    FakeDaemon,
)
from tests.cli.live.moments import with_time_left
from tests.cli.live.watching import watching
from tests.cli.samples import (
    ACTIVE,
    ADDED,
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
    PROFILE,
    PROPOSED,
    RESUMED,
    REVIEW,
    TASKS,
    TEN_PAST,
)

SINCE = TEN_PAST.astimezone().strftime("%H:%M")

BLIND = replace(IDLE, sensor=views.Sensor(name="x11", status="unavailable", detail="gone"))


@pytest.mark.parametrize(
    ("before", "after", "starts"),
    [
        (None, IDLE, ["idle: ", "window: none"]),
        (None, BLIND, ["idle: ", "sensor: can't see your windows (x11: gone)"]),
        (IDLE, replace(IDLE, revision=2), []),
        (IDLE, PLANNING, ["planning: "]),
        (PLANNING, replace(PLANNING, intent="more"), ["planning: more"]),
        (PLANNING, ACTIVE, ["active: ", "window: code", "drift: on task"]),
        (ACTIVE, DRIFTING, ["window: firefox", "drift: drifting", "answer: "]),
        (DRIFTING, IN_TERMINAL, ["window: xterm", "drift: not judged", "unanswered: ", "answer: "]),
        (ACTIVE, AWAY, [f"away since {SINCE} (idle): "]),
        (AWAY, BACK, ["back after 12m away (idle)", "drift: on task"]),
        (ACTIVE, BACK, ["back after 12m away (idle)"]),
        (BACK, replace(BACK, revision=8), []),
        (BACK, ADDED, []),
        (ACTIVE, PAUSED, [f"paused since {SINCE}: go on with: antidrift resume"]),
        (PAUSED, RESUMED, ["on again after a pause of 12m: 15m left", "drift: on task"]),
        (None, PAUSED, ["active: ", "paused since", "window: "]),
        (None, BACK, ["active: ", "window: ", "drift: "]),
        (ACTIVE, REVIEW, ["review: "]),
        (IDLE, BLIND, ["sensor: "]),
        (PLANNING, ASKED, ["coach: asked"]),
        (ASKED, PROPOSED, ["proposal: ", "  done when: ", "  allowed: "]),
        (ASKED, NO_PROPOSAL, ["coach: no proposal"]),
        (PROPOSED, PLANNING, []),
        (
            PLANNING,
            replace(PLANNING, knowledge=views.Knowledge(status="ready", path=PROFILE)),
            ["grounded by me.md"],
        ),
        (
            replace(PLANNING, tasks=views.Tasks(status="pending")),
            replace(PLANNING, tasks=views.Tasks(status="ready", items=TASKS)),
            ["2 tasks"],
        ),
        (
            ACTIVE,
            replace(ACTIVE, nudge=views.Nudge(text="halfway there", at=NOON)),
            ["nudge: halfway there"],
        ),
        (
            replace(IDLE, notices=("old",)),
            replace(IDLE, notices=("old", "new")),
            ["notice: new"],
        ),
    ],
)
def test_what_is_new_gets_a_line(
    before: views.State | None, after: views.State, starts: list[str]
) -> None:
    lines = changes(before, after)

    assert len(lines) == len(starts)
    for line, start in zip(lines, starts, strict=True):
        assert line.startswith(start)


def test_a_session_that_turns_stale_says_so() -> None:
    assert ACTIVE.commitment
    stale = replace(ACTIVE, commitment=replace(ACTIVE.commitment, stale=True))

    assert "active: write the chapter (stale)" in changes(ACTIVE, stale)


def test_lines_come_at_once_and_tell_the_time(daemon: FakeDaemon) -> None:
    with watching(daemon.environ) as watch:
        assert re.fullmatch(r"\d\d:\d\d:\d\d idle: .*", watch.line())
        assert watch.line()[9:] == "window: none"
        daemon.publish(PLANNING)
        assert watch.line()[9:].startswith("planning: write the chapter")


def test_after_a_gap_only_what_is_new_is_shown(daemon: FakeDaemon) -> None:
    with watching(daemon.environ) as watch:
        watch.line()
        watch.line()
        daemon.state = PLANNING
        daemon.hang_up()
        assert watch.line()[9:].startswith("planning: ")


def test_a_hostile_title_is_one_printable_line(daemon: FakeDaemon) -> None:
    assert ACTIVE.window
    title = "x \x1b[2J\n00:00:00 idle: forged \u202e\x9b"
    daemon.state = replace(ACTIVE, window=replace(ACTIVE.window, title=title))
    with watching(daemon.environ) as watch:
        lines = [watch.line() for _ in range(3)]

    assert [line[9:].split(":")[0] for line in lines] == ["active", "window", "drift"]
    assert all(line.isprintable() for line in lines)


def test_the_end_of_the_time_is_a_line_of_its_own_at_that_moment(daemon: FakeDaemon) -> None:
    with watching(daemon.environ) as watch:
        watch.lines_until("window: none")
        daemon.publish(with_time_left(ACTIVE, 1.5))
        lines = watch.lines_until("time is up")
        assert [line[9:].split(":")[0] for line in lines] == [
            "active",
            "window",
            "drift",
            "time is up",
        ]

        daemon.publish(with_time_left(replace(ACTIVE, notices=("over",)), 0))
        assert watch.lines_until("time is up")[0][9:] == "notice: over"

        daemon.publish(IDLE)
        assert watch.line()[9:].startswith("idle: ")


def test_what_was_said_of_the_time_is_not_said_again(daemon: FakeDaemon) -> None:
    over = with_time_left(ACTIVE, -5)
    with watching(daemon.environ) as watch:
        daemon.publish(over)
        watch.lines_until("time is up")
        daemon.publish(replace(over, notices=("one",)))
        daemon.publish(IDLE)
        assert [line[9:15] for line in watch.lines_until("idle")] == ["notice", "idle: "]


def test_the_time_of_a_stale_session_is_not_up(daemon: FakeDaemon) -> None:
    assert ACTIVE.commitment
    daemon.state = replace(ACTIVE, commitment=replace(ACTIVE.commitment, stale=True))
    with watching(daemon.environ) as watch:
        watch.lines_until("active")
        daemon.publish(IDLE)
        assert not any("time is up" in line for line in watch.lines_until("idle"))


def test_the_time_of_a_paused_session_is_not_up(daemon: FakeDaemon) -> None:
    over = with_time_left(ACTIVE, -5)
    assert over.commitment
    assert over.evidence
    paused = replace(over.commitment, paused_at=over.evidence.as_of)
    daemon.state = replace(over, commitment=paused)
    with watching(daemon.environ) as watch:
        watch.lines_until("active")
        daemon.publish(IDLE)
        assert not any("time is up" in line for line in watch.lines_until("idle"))

"""Each verb: what it says once it has done what was asked."""

import pytest

from protocol import views
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.samples import (
    ACTIVE,
    ADDED,
    BACK,
    DRIFTING,
    IDLE,
    IN_TERMINAL,
    PAUSED,
    PLANNING,
    PROPOSED,
    RESUMED,
    REVIEW,
    TEN_PAST,
    allowing,
    condemning,
)
from tests.cli.test_verbs import OFF_TASK

SINCE = TEN_PAST.astimezone().strftime("%H:%M")


@pytest.mark.parametrize(
    ("args", "before", "after", "expected"),
    [
        (
            ["plan", "x"],
            IDLE,
            PLANNING,
            ["planning: write the chapter; begin with: antidrift start"],
        ),
        (
            ["plan", "write the chapter"],
            PROPOSED,
            PROPOSED,
            [
                "planning: write the chapter; begin with: antidrift start",
                "proposal: write its first page (25m)",
                "  done when: a friend has the page",
                "  allowed: code, evince",
            ],
        ),
        (["cancel"], PLANNING, IDLE, ["planning cancelled", "idle: nothing planned; begin with: "]),
        (
            ["start"],
            PLANNING,
            ACTIVE,
            [
                "started: write the chapter (25m, until ",
                "done when: a friend can read it",
                "allowed: class code",
            ],
        ),
        (
            ["extend", "10m"],
            ACTIVE,
            ACTIVE,
            ["extended by 10m: 15m left, until "],
        ),
        (
            ["extend", "10m"],
            PAUSED,
            PAUSED,
            ["extended by 10m: 15m left, paused"],
        ),
        (
            ["extend", "--away"],
            BACK,
            ADDED,
            ["extended by 12m away: 15m left, until "],
        ),
        (
            ["extend", "10m", "--away"],
            BACK,
            ADDED,
            ["extended by 10m and 12m away: 15m left, until "],
        ),
        (
            ["pause"],
            ACTIVE,
            PAUSED,
            [f"paused at {SINCE}, 15m left; go on with: antidrift resume"],
        ),
        (
            ["resume"],
            PAUSED,
            RESUMED,
            ["on again after a pause of 12m: 15m left, until ", "active: write the chapter"],
        ),
        (["review", "--outcome", "done"], REVIEW, IDLE, ["review closed: done"]),
        (["review"], REVIEW, IDLE, ["review closed: no outcome given"]),
        (
            ["ontask"],
            DRIFTING,
            allowing(ACTIVE, classes=("fire fox",)),
            [
                "on task: class fire fox is allowed",
                "undo: antidrift disallow --class 'fire fox'",
                "drift: on task",
            ],
        ),
        (
            ["ontask"],
            DRIFTING,
            allowing(ACTIVE, titles=("=$(rm) it's", "-x")),
            [
                "on task: page $(rm) it's is allowed",
                "on task: title -x is allowed",
                "undo: antidrift disallow --title '=$(rm) it'\"'\"'s'",
                "undo: antidrift disallow --title=-x",
                "drift: on task",
            ],
        ),
        (
            ["ontask"],
            DRIFTING,
            allowing(ACTIVE, titles=("a\u202eb",)),
            [
                "on task: title a\\u202eb is allowed",
                "undo: antidrift disallow",
                "drift: on task",
            ],
        ),
        (["ontask"], ACTIVE, ACTIVE, ["on task: that was allowed already", "drift: on task"]),
        (
            ["ontask"],
            OFF_TASK,
            allowing(ACTIVE, classes=("firefox",)),
            [
                "no longer off task: class firefox",
                "on task: class firefox is allowed",
                "undo: antidrift disallow --class firefox",
                "drift: on task",
            ],
        ),
        (["ontask"], OFF_TASK, ACTIVE, ["no longer off task: class firefox", "drift: on task"]),
        (["offtask"], ACTIVE, ACTIVE, ["drift: on task"]),
        (
            ["offtask"],
            ACTIVE,
            condemning(ACTIVE, "firefox", page="funny cats"),
            [
                "off task for the rest of the session: page funny cats",
                "undo: antidrift ontask --title '=funny cats'",
                "drift: on task",
            ],
        ),
        (
            ["offtask"],
            condemning(OFF_TASK, "code"),
            condemning(OFF_TASK, "code"),
            [
                "off task for the rest of the session: class code",
                "undo: antidrift ontask --class code",
                "drift: on task",
            ],
        ),
        (
            ["disallow"],
            allowing(ACTIVE, classes=("gimp",)),
            ACTIVE,
            ["no longer allowed: class gimp", "drift: on task"],
        ),
        (["disallow"], ACTIVE, ACTIVE, ["that was not allowed anyway", "drift: on task"]),
        (
            ["refocus"],
            IN_TERMINAL,
            ACTIVE,
            [
                "cleared: the drift to firefox: Funny cats - YouTube",
                "active: write the chapter",
            ],
        ),
        (["refocus"], ACTIVE, ACTIVE, ["no drift was open", "active: write the chapter"]),
        (
            ["complete"],
            ACTIVE,
            REVIEW,
            [
                "completed: write the chapter",
                "time: planned 25m, took 10m",
                "spent: on task 8m, drift 1m, unjudged 1m, away 0s",
                "window switches: 3, drifts: 1",
                "  code             on task 8m",
                "  firefox          drift 1m",
                "  no program seen  unjudged 1m",
                "close it with: antidrift review",
            ],
        ),
    ],
)
def test_a_verb_confirms_what_it_did(
    daemon: FakeDaemon,
    antidrift: Antidrift,
    args: list[str],
    before: views.State,
    after: views.State,
    expected: list[str],
) -> None:
    daemon.state = before
    daemon.answers[args[0]] = after
    code, out, err = antidrift(*args)

    assert (code, err) == (0, "")
    assert len(out.splitlines()) == len(expected)
    for line, start in zip(out.splitlines(), expected, strict=True):
        assert line.startswith(start)

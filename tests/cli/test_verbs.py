"""Each verb: what it asks for, what it prints, and what it prints as JSON."""

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from antidrift_cli.verbs import VERBS
from protocol import views
from protocol.errors import RpcError
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
    TASKS,
    TEN_PAST,
    allowing,
    condemning,
)

TELLERS = {"status", "watch", "why", "prompt", "doctor", "config", "learned"}
OF_THIS_SIDE = {
    *("demo", "shell-init", "completion", "service", "log", "report", "export", "evaluate"),
}
CUSTODY = {"capture", "harvest", "knowledge"}
"""What they do is tried in tests/cli/knowledge."""
COMMANDS = sorted(set(VERBS) - TELLERS - OF_THIS_SIDE - CUSTODY)
ARGUMENTS = {"extend": ["10m"], "knowledge-path": ["--reset"]}
METHODS = {"status": "state", "knowledge-path": "knowledge_path"}
SINCE = TEN_PAST.astimezone().strftime("%H:%M")
LISTED = replace(IDLE, tasks=views.Tasks(status="ready", items=TASKS))
OFF_TASK = condemning(ACTIVE, "firefox")
STATES = {"coach": PROPOSED, "tasks": LISTED, "offtask": OFF_TASK}
"""In which state a verb has nothing to wait for, where that isn't ACTIVE."""


@pytest.mark.parametrize(
    ("args", "method", "params"),
    [
        (["plan"], "plan", {}),
        (["plan", "write", "the", "chapter"], "plan", {"intent": "write the chapter"}),
        (["plan", ""], "plan", {"intent": ""}),
        (["plan", "--", "--json", "-x"], "plan", {"intent": "--json -x"}),
        (["start"], "start", {}),
        (["start", "write", "it"], "start", {"next_action": "write it"}),
        (["start", "-t", "25"], "start", {"timebox_secs": 1500}),
        (["start", "-s", "it reads well"], "start", {"success_condition": "it reads well"}),
        (
            ["start", "-a", "code,evince", "-a", " Gimp "],
            "start",
            {"allowed_window_classes": ["code", "evince", "Gimp"]},
        ),
        (
            ["start", "--allow-title", "a, b", "--allow-title", "c"],
            "start",
            {"allowed_window_titles": ["a, b", "c"]},
        ),
        (["ontask"], "ontask", {}),
        (["ontask", "--class", "evince"], "ontask", {"window_class": "evince"}),
        (["ontask", "--title", "Docs"], "ontask", {"window_title": "Docs"}),
        (["offtask"], "offtask", {}),
        (["disallow"], "disallow", {}),
        (["disallow", "--title", "=docs"], "disallow", {"window_title": "=docs"}),
        (["refocus"], "refocus", {}),
        (["refocus", "--because", "mail: ünï"], "refocus", {"because": "mail: ünï"}),
        (["extend", "1h30m"], "extend", {"secs": 5400}),
        (["extend", "--away"], "extend", {"away": True}),
        (["extend", "10", "--away"], "extend", {"secs": 600, "away": True}),
        (["pause"], "pause", {}),
        (["resume"], "resume", {}),
        (["complete"], "complete", {}),
        (["review"], "review", {}),
        (
            ["review", "--outcome", "partial", "--note", "ünï"],
            "review",
            {"outcome": "partial", "note": "ünï"},
        ),
        (["cancel"], "cancel", {}),
        (["status"], "state", {}),
    ],
)
def test_a_verb_asks_for_its_method(
    daemon: FakeDaemon, antidrift: Antidrift, args: list[str], method: str, params: dict[str, Any]
) -> None:
    daemon.state = OFF_TASK if method == "offtask" else ACTIVE
    code, _, err = antidrift(*args)

    assert (code, err) == (0, "")
    assert daemon.params(method) == params
    assert daemon.asked[0] == ("info", {})


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


@pytest.mark.parametrize("verb", [*COMMANDS, "status"])
def test_json_is_the_state_as_it_came_in_ascii(
    daemon: FakeDaemon, antidrift: Antidrift, verb: str
) -> None:
    daemon.state = replace(STATES.get(verb, ACTIVE), notices=("日本 \x7f\x9b \U0001f600 \u202e",))
    code, out, err = antidrift(verb, *ARGUMENTS.get(verb, []), "--json")

    assert (code, err) == (0, "")
    assert out.isascii()
    assert out.count("\n") == 1
    assert "\x7f" not in out
    assert json.loads(out) == json.loads(msgspec.json.encode(daemon.state))


@pytest.mark.parametrize("verb", COMMANDS)
def test_notices_go_beside_the_result(daemon: FakeDaemon, antidrift: Antidrift, verb: str) -> None:
    daemon.state = replace(STATES.get(verb, ACTIVE), notices=("the disk is full",))
    code, out, err = antidrift(verb, *ARGUMENTS.get(verb, []))

    assert code == 0
    assert "disk" not in out
    assert err == "notice: the disk is full\n"


@pytest.mark.parametrize("verb", [*COMMANDS, "status", "why"])
def test_a_refusal_is_one_line_and_exit_code_1(
    daemon: FakeDaemon, antidrift: Antidrift, verb: str
) -> None:
    daemon.answers[METHODS.get(verb, verb)] = RpcError("wrong_state", "first \x1b[2J\nplan")
    plain = antidrift(verb, *ARGUMENTS.get(verb, []))
    code, out, err = antidrift(verb, *ARGUMENTS.get(verb, []), "--json")

    assert plain == (1, "", "antidrift: first \\x1b[2J\\x0aplan\n")
    assert (code, err) == (1, "")
    error = json.loads(out)["error"]
    assert (error["code"], error["kind"]) == (-32002, "wrong_state")
    assert error["message"] == "first \\x1b[2J\\x0aplan"

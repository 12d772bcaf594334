"""Each verb: what it asks for, what it prints as JSON, and how it is refused."""

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
    IDLE,
    PROPOSED,
    TASKS,
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

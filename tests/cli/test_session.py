"""The client and the real daemon together, through a whole session."""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from antidrift_cli.client import open_client
from antidrift_cli.commands.demo import Stage
from antidrift_cli.private_daemon import open_private_daemon
from protocol.views import State
from tests.cli.fake_daemon import run_client

WINDOWS = [
    {"at": 0, "class": "editor", "title": "chapter.md"},
    {"at": 0.1, "class": "it's a tool", "title": "it has no rule"},
]


class Person:
    """Types commands to a real daemon."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ

    def types(self, line: str, *, code: int = 0, editor: str = "") -> list[str]:
        """Run a command line; return its lines, from whichever stream has them."""
        environ = {**self.environ, "VISUAL": editor}
        done = run_client(*shlex.split(line), environ=environ)
        assert done.returncode == code, done
        return (done.stderr if code else done.stdout).decode().splitlines()

    def reads(self, line: str = "status") -> Any:
        """Return what a command line prints as JSON."""
        return json.loads(run_client(*shlex.split(line), "--json", environ=self.environ).stdout)

    def waits(self, holds: Callable[[State], bool]) -> None:
        with open_client(self.environ) as client:
            Stage(client, self.environ, quiet=True).wait_until("it holds", holds)


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    replay = tmp_path_factory.mktemp("replay") / "windows.jsonl"
    replay.write_text("".join(json.dumps(window) + "\n" for window in WINDOWS))
    with open_private_daemon(replay) as environ:
        yield Person(environ)


def test_a_session_from_plan_to_review(person: Person) -> None:
    assert person.types("status")[0].startswith("idle: ")
    assert person.types("plan write the chapter")[0].startswith("planning: write the chapter")
    assert person.types("start -t 90s -a editor")[0].startswith(
        "started: write the chapter (1m 30s"
    )
    person.waits(
        lambda state: state.window is not None and state.window.window_class == "it's a tool"
    )
    assert person.types("extend 10m")[0].startswith("extended by 10m: 11m")

    [allowed, undo, _] = person.types("""ontask --class "it's a tool" """)
    assert allowed == "on task: class it's a tool is allowed"
    assert person.reads()["drift"]["status"] == "ontask"
    assert undo.startswith("undo: antidrift ")
    assert person.types(undo.removeprefix("undo: antidrift "))[0] == (
        "no longer allowed: class it's a tool"
    )
    assert person.reads()["commitment"]["allowed_window_classes"] == ["editor"]

    assert person.types("refocus")[0] == "no drift was open"
    assert person.types("complete")[0] == "completed: write the chapter"
    assert person.types("status")[0] == "review: write the chapter"
    assert person.types("review --outcome done --note fine") == ["review closed: done"]
    assert person.reads()["runtime"] == "idle"


def test_a_pause_stops_the_time_until_it_goes_on(person: Person) -> None:
    person.types("start write the chapter -t 25m -a editor")
    ends_at = person.reads()["commitment"]["ends_at"]
    assert person.types("pause")[0].startswith("paused at ")
    assert person.reads()["away"]["reason"] == "paused"
    [line] = [line for line in person.types("status") if line.startswith("paused since ")]
    assert line.endswith(": go on with: antidrift resume")
    assert person.types("pause", code=1) == [
        "antidrift: it is paused already: `antidrift resume` goes on"
    ]

    assert person.types("resume")[0].startswith("on again after a pause of ")
    assert person.reads()["commitment"]["ends_at"] > ends_at
    [complaint] = person.types("extend --away", code=1)
    assert complaint.startswith("antidrift: there is no absence to add")
    person.types("complete")
    person.types("review")


def test_the_coachs_proposal_is_edited_and_started(person: Person) -> None:
    [proposal, *_, begin] = person.types("coach write the chapter for 45 min")
    assert proposal.startswith("proposal: ")
    assert proposal.endswith(" (45m)")
    assert begin.startswith("begin with: antidrift start")
    assert person.types("status")[1] == proposal

    person.types("coach --edit", code=1, editor="false")
    assert person.reads()["runtime"] == "planning"
    [started, *_] = person.types("coach --edit", editor="sed -i s/45m/50m/")
    assert "(50m, until " in started
    person.waits(lambda state: state.drift is not None and state.drift.status != "pending")
    assert "nothing was sent" in person.types("why")
    assert person.types("complete")[1].startswith("time: planned 50m")
    person.types("review")


def test_the_bare_start_takes_the_proposal(person: Person) -> None:
    person.types("coach write the chapter for 45 min")

    assert "(45m, until " in person.types("start")[0]
    person.types("complete")
    person.types("review")


def test_a_private_daemon_leaves_the_persons_profile_alone(person: Person) -> None:
    assert "knowledge.enabled is false" in person.types("knowledge-path", code=1)[0]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("coach", "wrong_state"),
        ("coach ''", "invalid_value"),
        ("tasks", "unavailable"),
        ("plan --task 1", "unavailable"),
        ("why", "not_active"),
        ("why --preview", "not_active"),
        ("complete", "not_active"),
        ("ontask", "not_active"),
        ("extend 5m", "not_active"),
        ("extend --away", "not_active"),
        ("pause", "not_active"),
        ("resume", "not_active"),
        ("refocus --because mail", "not_active"),
        ("review", "wrong_state"),
        ("cancel", "wrong_state"),
        ("start", "wrong_state"),
        ("start ''", "invalid_value"),
        (f"plan {'x' * 513}", "invalid_value"),
        ("plan 'a\x1b[2Jb'", "invalid_value"),
        ("plan 'two\nlines'", "invalid_value"),
        ("start x -s 'a\x7fb'", "invalid_value"),
        ("start x -a 'a\tb'", "invalid_value"),
    ],
    ids=ascii,
)
def test_what_the_daemon_refuses_is_one_line_and_changes_nothing(
    person: Person, line: str, kind: str
) -> None:
    [complaint] = person.types(line, code=1)
    error = person.reads(line)["error"]

    assert complaint.startswith("antidrift: ")
    assert complaint.isprintable()
    assert error["kind"] == kind
    assert person.reads()["runtime"] == "idle"

"""Tab completes what the daemon knows, and runs nothing of it, in real shells."""

import json
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from antidrift_cli.completing import SHELLS
from protocol import views
from tests.cli.conftest import Antidrift
from tests.cli.fake_daemon import INFO, FakeDaemon, run_client
from tests.cli.interactive_shell import open_shell
from tests.cli.samples import ACTIVE, IDLE, TASKS, allowing

HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    "x;touch pwned",
    "x&&touch pwned|touch pwned&",
    "x' $(touch pwned) '",
    'x" $(touch pwned) "',
    "x\\",
    "x\\'$(touch pwned)",
    "~root *? [a-z] {a,b} !x !! ^a^b #x %s $HOME ${HOME} $'\\x41'",
    "x > pwned < pwned",
    "a:b=c",
    "=ls",
    "x:y\\:z",
    "Gimp — Zeichnung ünd 日本",
]
"""Window classes, each of which means something else to some shell."""

UNCLEAN = [
    "\x1b[31mred",
    "new\nline",
    "tab\there",
    "bidi\u202eoverride",
    "zero\u200bwidth",
    " ",
    "",
]
"""Window classes that can't be shown as they are."""

OTHER_WAYS = {
    "bash": """
        eval "$(antidrift completion bash)"; . <(antidrift completion bash); set -u""",
    "zsh": """
        mkdir f; antidrift completion zsh >f/_antidrift; fpath=(f $fpath)
        autoload -Uz compinit; compinit -u -D""",
    "fish": """
        mkdir f; antidrift completion fish >f/antidrift.fish; set -p fish_complete_path f""",
}
"""Twice and under `set -u`, and from a folder in which the shell looks by itself."""


TYPED: tuple[tuple[bytes, str, dict[str, object]], ...] = (
    (b"ontask --class Vis\t", "ontask", {"window_class": "Visual Editor"}),
    (b"ontask --class Visual\\ E\t", "ontask", {"window_class": "Visual Editor"}),
    (b"ontask --class=fi\t", "ontask", {"window_class": "firefox"}),
    (b"onta\t--cl\tfi\t", "ontask", {"window_class": "firefox"}),
    (b"disallow --class ev\t", "disallow", {"window_class": "evince"}),
    (b"disallow --title \t", "disallow", {"window_title": "=python; docs"}),
    (b"plan --task 7\t", "plan", {"task_id": "7f"}),
    (b"plan --task todo\t", "plan", {"task_id": "todotxt:3"}),
    (b"review --outcome pa\t", "review", {"outcome": "partial"}),
    (b"start x -a fi\t", "start", {"next_action": "x", "allowed_window_classes": ["firefox"]}),
    (
        b"start x -a code,fi\t",
        "start",
        {"next_action": "x", "allowed_window_classes": ["code", "firefox"]},
    ),
)
"""What is typed after `antidrift`, and what the daemon is asked for then."""


def seen(daemon: FakeDaemon, *classes: str) -> None:
    daemon.info = replace(INFO, seen_classes=classes)


def completed(
    typed: str, environ: Mapping[str, str], shell: str = "fish"
) -> subprocess.CompletedProcess[bytes]:
    """Run the client as the shell's function does."""
    variables = {"_ANTIDRIFT_COMPLETE": f"{shell}_complete", "COMP_WORDS": f"antidrift {typed}"}
    return run_client(environ={**environ, **variables})


def offers(typed: str, daemon: FakeDaemon, shell: str = "fish") -> list[str]:
    done = completed(typed, daemon.environ, shell)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_hostile_class_reaches_the_verb_as_it_is_and_runs_nothing(
    shell: str, daemon: FakeDaemon, tmp_path: Path
) -> None:
    daemon.state = ACTIVE
    with open_shell(shell, daemon.environ) as terminal:
        for times, hostile in enumerate(HOSTILE, start=1):
            seen(daemon, hostile)
            terminal.type(b"antidrift ontask --class \t\r")
            daemon.wait_until_asked("ontask", times)

            assert daemon.params("ontask") == {"window_class": hostile}
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_completes(shell: str, daemon: FakeDaemon) -> None:
    seen(daemon, "firefox", "Visual Editor")
    allowed = allowing(ACTIVE, classes=("evince",), titles=("=python; docs",))
    line = views.TaskItem(id="3", title="buy milk", source="todotxt")
    daemon.state = replace(allowed, tasks=views.Tasks(status="ready", items=(*TASKS, line)))
    with open_shell(shell, daemon.environ) as terminal:
        for typed, method, params in TYPED:
            times = daemon.methods().count(method) + 1
            terminal.type(b"antidrift " + typed + b"\r")
            daemon.wait_until_asked(method, times)

            assert daemon.params(method) == params, typed


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_completes_the_path_of_a_profile(
    shell: str, daemon: FakeDaemon, tmp_path: Path
) -> None:
    (tmp_path / "myself.md").touch()
    with open_shell(shell, daemon.environ) as terminal:
        terminal.type(b"antidrift knowledge-path mys\t\r")
        daemon.wait_until_asked("knowledge_path")

    assert daemon.params("knowledge_path") == {"path": str(tmp_path / "myself.md")}


@pytest.mark.parametrize(("shell", "load"), OTHER_WAYS.items())
def test_the_script_can_be_loaded_in_other_ways_too(
    shell: str, load: str, daemon: FakeDaemon
) -> None:
    daemon.state = ACTIVE
    with open_shell(shell, daemon.environ, load.strip()) as terminal:
        for times in (1, 2, 3):  # zsh loads the function with the first Tab
            seen(daemon, f"class{times}")
            terminal.type(b"antidrift ontask --class c\t\r")
            daemon.wait_until_asked("ontask", times)

            assert daemon.params("ontask") == {"window_class": f"class{times}"}


@pytest.mark.parametrize("shell", ["zsh", "fish"])
@pytest.mark.parametrize("quote", ["'", '"'])
def test_inside_quotes_too_a_hostile_class_stays_what_it_is(
    shell: str, quote: str, daemon: FakeDaemon, tmp_path: Path
) -> None:
    hostile = "x'$(touch pwned)'\"$(touch pwned)`touch pwned`\" \\"
    seen(daemon, hostile)
    daemon.state = ACTIVE
    with open_shell(shell, daemon.environ) as terminal:
        terminal.type(f"antidrift ontask --class {quote}x\t\r".encode())
        daemon.wait_until_asked("ontask")

    assert daemon.params("ontask") == {"window_class": hostile}
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("typed", ["'x\t'", '"x\t"', "x:\t"])
def test_bash_completes_nothing_where_it_would_insert_it_wrongly(
    typed: str, daemon: FakeDaemon
) -> None:
    seen(daemon, "x'$(touch pwned)'", "x:y")
    daemon.state = ACTIVE
    with open_shell("bash", daemon.environ) as terminal:
        terminal.type(f"antidrift ontask --class {typed}\r".encode())
        daemon.wait_until_asked("ontask")

    assert daemon.params("ontask")["window_class"] in {"x", "x:"}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_class_that_cannot_be_shown_is_not_offered(shell: str, daemon: FakeDaemon) -> None:
    seen(daemon, *UNCLEAN, "firefox")

    assert offers("ontask --class ", daemon, shell) == [":firefox"]
    assert offers("start -a ", daemon, shell) == [":firefox"]


def test_a_title_of_a_task_is_shown_safely_beside_its_id(daemon: FakeDaemon) -> None:
    task = views.TaskItem(id="7f", title="a\tb\n\x1b[31m" + "long " * 40, source="taskwarrior")
    daemon.state = replace(IDLE, tasks=views.Tasks(status="ready", items=(task,)))

    (line,) = offers("plan --task ", daemon)
    value, _, help_text = line.partition("\t")
    assert value == ":7f"
    assert help_text.startswith("a\\x09b\\x0a\\x1b[31mlong")
    assert len(help_text) == 60


def test_a_task_with_a_number_for_its_id_is_named_by_its_source(daemon: FakeDaemon) -> None:
    task = views.TaskItem(id="2", title="call Ann", source="todotxt")
    daemon.state = replace(IDLE, tasks=views.Tasks(status="ready", items=(task,)))

    assert offers("plan --task ", daemon) == [":todotxt:2\tcall Ann"]


def test_tab_fetches_no_tasks_and_offers_no_display(daemon: FakeDaemon) -> None:
    daemon.state = replace(IDLE, sensor=views.Sensor(name="auto", status="unavailable"))
    completed("plan --task ", {**daemon.environ, "DISPLAY": ":7"})

    assert daemon.methods() == ["state"]


def test_verbs_are_completed_without_a_daemon(tmp_path: Path) -> None:
    done = completed("st", {"HOME": str(tmp_path)})

    assert done.stdout == b":start\tStart a session.\n:status\tShow how things stand.\n"


@pytest.mark.parametrize("typed", ["ontask --class ", "plan --task ", "ontask 'x"])
def test_tab_is_silent_where_nothing_answers(typed: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "deaf.sock"
    with socket.socket(socket.AF_UNIX) as deaf:
        for _ in ("no daemon", "a daemon that hangs"):
            done = completed(typed, {"HOME": str(tmp_path), "ANTIDRIFT_SOCKET": str(path)})

            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
            if not path.exists():
                deaf.bind(str(path))
                deaf.listen()


@pytest.mark.parametrize(
    "typed", ["nosuch ", "\\", "'", "start -t", "start -t nonsense -", "--", ""]
)
def test_tab_after_nonsense_is_no_error(typed: str, daemon: FakeDaemon) -> None:
    offers(typed, daemon)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_variable_asks_for_the_same_script_as_the_verb(
    shell: str, antidrift: Antidrift, tmp_path: Path
) -> None:
    code, printed, _ = antidrift("completion", shell)
    asked = run_client(environ={"HOME": str(tmp_path), "_ANTIDRIFT_COMPLETE": f"{shell}_source"})

    assert code == 0
    assert asked.stdout.decode() == printed
    assert json.loads(antidrift("completion", shell, "--json")[1]) == {
        "shell": shell,
        "script": printed,
    }


def test_a_shell_that_is_not_known_gets_nothing(antidrift: Antidrift, tmp_path: Path) -> None:
    done = run_client(environ={"HOME": str(tmp_path), "_ANTIDRIFT_COMPLETE": "csh_source"})

    assert (done.returncode, done.stdout) == (1, b"")
    assert antidrift("completion", "csh")[0] == 2

"""What a verb costs before it does anything: the modules that it imports."""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import antidrift_cli.commands
from antidrift_cli.main import antidrift
from antidrift_cli.verbs import VERBS
from protocol import views
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.samples import PROPOSED, TASKS

HEAVY = {"trio", "rich", "asyncio", "Xlib", "importlib.metadata", "tempfile", "subprocess"}

READY = replace(PROPOSED, tasks=views.Tasks(status="ready", items=TASKS))
"""Planning with nothing to wait for."""

REPORT_MODULES = """
import os, sys
end = os._exit
def tell(code):
    print("\\n", *sorted(sys.modules), sep="\\n", file=sys.stderr, flush=True)
    end(code)
os._exit = tell
sys.argv = ["antidrift", *sys.argv[1:]]
from antidrift_cli.__main__ import main
main()
"""


def modules_of(daemon: FakeDaemon, *args: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", REPORT_MODULES, *args],
        env=daemon.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "args",
    [
        ["status"],
        ["status", "--json"],
        ["ontask"],
        ["extend", "5"],
        ["plan", "x"],
        ["plan", "--task", "1"],
        ["coach"],
        ["coach", "--no-wait"],
        ["tasks"],
        ["knowledge-path", "--reset"],
        ["log"],
        ["report"],
        ["export"],
    ],
    ids=" ".join,
)
def test_a_verb_imports_nothing_heavy(daemon: FakeDaemon, args: list[str]) -> None:
    daemon.state = READY
    modules = modules_of(daemon, *args)

    assert modules & HEAVY == set()
    verbs = {name for name in modules if name.startswith("antidrift_cli.commands.")}
    assert verbs == {f"antidrift_cli.commands.{args[0].replace('-', '_')}"}


def test_the_help_imports_no_verb_and_no_client(daemon: FakeDaemon) -> None:
    modules = modules_of(daemon, "--help")

    assert not any(name.startswith("antidrift_cli.commands.") for name in modules)
    assert modules & (HEAVY | {"msgspec", "socket"}) == set()


def test_the_table_names_every_verb_there_is() -> None:
    folder = Path(antidrift_cli.commands.__path__[0])

    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert modules == {verb.replace("-", "_") for verb in VERBS}


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_has_examples_and_json(verb: str) -> None:
    with antidrift.make_context("antidrift", [verb]) as context:
        command = antidrift.get_command(context, verb)
        assert command
        text = command.get_help(context)

    assert "Examples:" in text
    assert f"  antidrift {verb}" in text
    assert "--json" in text


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_in_the_table_is_how_the_verbs_own_begins(verb: str) -> None:
    with antidrift.make_context("antidrift", [verb]) as context:
        command = antidrift.get_command(context, verb)
    assert command
    assert command.help
    first = command.help.partition("\n")[0].rstrip(".")

    assert first.startswith(VERBS[verb].rstrip("."))

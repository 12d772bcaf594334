"""What a verb costs before it does anything: the modules that it imports."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import antidrift_cli.commands
from antidrift_cli.declaring import Verb
from antidrift_cli.main import antidrift, command_of
from antidrift_cli.verbs import VERBS, help_lines, load
from protocol import views
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.samples import ACTIVE, PROPOSED, TASKS, condemning

HEAVY = {"trio", "rich", "asyncio", "Xlib", "importlib.metadata", "tempfile", "subprocess"}

READY = replace(PROPOSED, tasks=views.Tasks(status="ready", items=TASKS))
"""Planning with nothing to wait for."""

PLAIN = [
    *["status", "ontask", "offtask", "disallow", "refocus", "pause", "resume", "complete"],
    *["review", "cancel", "plan", "coach", "tasks", "start", "why"],
]
"""Verbs that are typed alone, dozens of times a day."""

ALONE = {
    name: verb for name in VERBS if isinstance(verb := load(name), Verb) and verb.can_stand_alone
}

PARSING = {"click", "dataclasses", "json", "pathlib", "shutil"}
"""What a verb without arguments can do without."""

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


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=str)
@pytest.mark.parametrize("verb", PLAIN)
def test_a_verb_that_is_typed_alone_does_without_click(
    daemon: FakeDaemon, verb: str, flags: list[str]
) -> None:
    daemon.state = READY
    daemon.answers["why"] = views.Why(rule="none")
    daemon.answers["offtask"] = condemning(ACTIVE, "firefox")
    modules = modules_of(daemon, verb, *flags)

    assert modules & (HEAVY | PARSING) == set()


def test_a_verb_with_arguments_has_them_parsed_by_click(daemon: FakeDaemon) -> None:
    assert "click" in modules_of(daemon, "extend", "5")


@pytest.mark.parametrize("verb", ["shell-init", "completion"])
def test_what_goes_into_an_rc_file_is_printed_without_a_client(
    daemon: FakeDaemon, verb: str
) -> None:
    modules = modules_of(daemon, verb, "bash")

    assert modules & (HEAVY | {"msgspec", "socket", "antidrift_cli.client"}) == set()


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_the_help_imports_no_verb_and_no_client(daemon: FakeDaemon, flag: str) -> None:
    modules = modules_of(daemon, flag)

    assert not any(name.startswith("antidrift_cli.commands.") for name in modules)
    assert modules & (HEAVY | PARSING | {"msgspec", "socket"}) == set()


@pytest.mark.parametrize("name", sorted(ALONE))
@pytest.mark.parametrize("args", [[], ["--json"]], ids=str)
def test_a_verb_that_is_typed_alone_gets_what_click_would_hand_over(
    name: str, args: list[str]
) -> None:
    verb = ALONE[name]
    with command_of(name, verb).make_context(name, list(args)) as context:
        handed_over = context.params

    bound = inspect.signature(verb.function).bind(as_json=bool(args))
    bound.apply_defaults()
    assert bound.arguments == handed_over


def test_the_help_is_the_one_that_click_prints_and_tells_all_its_options() -> None:
    with antidrift.make_context("antidrift", ["status"]) as context:
        shown = antidrift.get_help(context)
        options = [name for each in antidrift.get_params(context) for name in each.opts]

    assert shown.splitlines() == [*help_lines()]
    assert all(f"{name} " in shown or f"{name}," in shown for name in options)
    assert all(len(line) < 80 for line in help_lines())


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

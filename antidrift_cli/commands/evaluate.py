"""The verb `evaluate`: has a judge decide labelled windows, and says how well it did."""

import subprocess
import sys
from pathlib import Path

import click

from antidrift_cli.errors import USAGE, BadInput, Failed
from antidrift_cli.output import say, say_aside, say_json
from antidrift_cli.verb import examples, json_flag

_OWN_NAME = "antidrift evaluate: "


@click.command(
    epilog=examples(
        "antidrift evaluate windows.jsonl",
        "antidrift evaluate --history",
        "antidrift evaluate windows.jsonl --backend ollama --json | jq .recall",
    )
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--history", is_flag=True, help="Judge the windows of your own answers instead.")
@click.option("--backend", metavar="NAME", help="Who judges; without it, the one that is set.")
@click.option("--cases", is_flag=True, help="Print each case as one JSON line instead.")
@json_flag
def evaluate(
    file: Path | None, backend: str | None, *, history: bool, cases: bool, as_json: bool
) -> None:
    """Measure a judge on windows whose label is known: those of FILE.

    A line of FILE is a JSON object: id, commitment {next_action, success_condition}, window {class,
    title}, label (on_task, drift or neutral), and maybe kind and lang. It needs no daemon.
    With --history it is what you said yourself (ontask, offtask, refocus) in sessions that are
    over; what the history has no title of is judged by its window class, or left out.
    """
    if history == (file is not None):
        raise click.UsageError("give a FILE or --history", click.get_current_context())
    command = [sys.executable, "-P", "-m", "antidriftd.evaluate"]
    command += ["--backend", backend] if backend is not None else []
    command += ["--cases"] if cases else ["--json"] if as_json else []
    # The client may not import the daemon, and what takes a while may be long in coming.
    command += ["--history"] if file is None else ["--", str(file)]
    done = subprocess.run(command, capture_output=True, check=False)
    complaint = done.stderr.decode(errors="replace")
    if done.returncode:
        raise _error(done.returncode, complaint)
    say_aside(complaint.splitlines())
    if cases or as_json:
        for line in done.stdout.splitlines():
            say_json(line)
    else:
        say(done.stdout.decode().splitlines())


def _error(code: int, complaint: str) -> BadInput | Failed:
    lines = complaint.strip().splitlines()
    message = lines[-1].removeprefix(_OWN_NAME).removeprefix("error: ") if lines else "it failed"
    return BadInput(message) if code == USAGE else Failed(message)

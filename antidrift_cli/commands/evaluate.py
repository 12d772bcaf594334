"""The verb `evaluate`: has a judge decide labelled windows, and says how well it did."""

import subprocess
import sys
from pathlib import Path

import click

from antidrift_cli.errors import USAGE, BadInput, Failed
from antidrift_cli.output import say
from antidrift_cli.verb import examples, json_flag

_OWN_NAME = "antidrift evaluate: "


@click.command(
    epilog=examples(
        "antidrift evaluate windows.jsonl",
        "antidrift evaluate windows.jsonl --backend ollama --json | jq .recall",
    )
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--backend", metavar="NAME", help="Who judges; without it, the one that is set.")
@click.option("--cases", is_flag=True, help="Print each case as one JSON line instead.")
@json_flag
def evaluate(file: Path, backend: str | None, *, cases: bool, as_json: bool) -> None:
    """Judge the labelled windows of FILE, and say how well it went.

    A line of FILE is a JSON object: id, commitment {next_action, success_condition}, window {class,
    title}, label (on_task, drift or neutral), and maybe kind and lang. It needs no daemon.
    """
    command = [sys.executable, "-P", "-m", "antidriftd.evaluate"]
    command += ["--backend", backend] if backend is not None else []
    command += ["--cases"] if cases else ["--json"] if as_json else []
    # The client may not import the daemon, and what takes a while may be long in coming.
    done = subprocess.run([*command, "--", str(file)], capture_output=True, check=False)
    if done.returncode:
        raise _error(done.returncode, done.stderr.decode(errors="replace"))
    say(done.stdout.decode().splitlines())


def _error(code: int, complaint: str) -> BadInput | Failed:
    lines = complaint.strip().splitlines()
    message = lines[-1].removeprefix(_OWN_NAME).removeprefix("error: ") if lines else "it failed"
    return BadInput(message) if code == USAGE else Failed(message)

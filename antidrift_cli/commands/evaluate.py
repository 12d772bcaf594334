"""The verb `evaluate`: has a judge decide labelled windows, and says how well it did."""

import subprocess
import sys
from pathlib import Path

from antidrift_cli import candidates
from antidrift_cli.declaring import argument, option, verb
from antidrift_cli.errors import USAGE, BadInput, Failed, misused
from antidrift_cli.output import say, say_aside, say_json

_OWN_NAME = "antidrift evaluate: "


@verb(
    argument("file", read=Path, shell_complete=candidates.files),
    option("--history", is_flag=True, help="Judge the windows of your own answers instead."),
    option("--backend", metavar="NAME", help="Who judges; without it, the one that is set."),
    option("--cases", is_flag=True, help="Print each case as one JSON line instead."),
    examples=[
        "antidrift evaluate windows.jsonl",
        "antidrift evaluate --history",
        "antidrift evaluate windows.jsonl --backend ollama --json | jq .recall",
    ],
)
def evaluate(
    file: Path | None = None,
    backend: str | None = None,
    *,
    history: bool = False,
    cases: bool = False,
    as_json: bool = False,
) -> None:
    """Measure a judge on windows whose label is known: those of FILE.

    A line of FILE is a JSON object: id, commitment {next_action, success_condition}, window {class,
    title}, label (on_task, drift or neutral), and maybe kind and lang. It needs no daemon.
    With --history it is what you said yourself (ontask, offtask, refocus) in sessions that are
    over; what the history has no title of is judged by its window class, or left out.
    """
    if history == (file is not None):
        raise misused("antidrift evaluate", "give a FILE or --history")
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

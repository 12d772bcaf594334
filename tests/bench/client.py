"""How long a verb of the client takes as a whole process, and what it imports."""

import random
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from tests.bench.processes import WholeRun, run_whole, script
from tests.bench.rows import Row, median, p99
from tests.bench.sessions import open_idle

_ROUNDS = 30

_NOTHING = ("-c", "pass")
_PLAIN = "`python -c pass`"
_BAREST = "`python -I -S -c pass`"
_LIBRARIES = "Python with the same libraries"
_VERBS = {
    "--help": "click",
    "status": "click, msgspec, socket",
}
"""What is measured, and the libraries that it can't do without."""


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield what `--help` and `status` take, beside Python that does nothing but import."""
    async with open_idle(directory) as daemon:
        for verb, libraries in _VERBS.items():
            for row in _rows(verb, libraries, daemon.home.environ):
                yield row


def _rows(verb: str, libraries: str, environ: Mapping[str, str]) -> list[Row]:
    name = f"`antidrift {verb}`"
    peers = {
        _PLAIN: (sys.executable, *_NOTHING),
        _BAREST: (sys.executable, "-I", "-S", *_NOTHING),
        _LIBRARIES: (sys.executable, "-c", f"import {libraries}"),
    }
    runs = _run_in_turn({name: (script("antidrift"), verb), **peers}, environ)
    limits = {_PLAIN: None, _BAREST: None, _LIBRARIES: 2.0}
    return [
        *(_time(name, runs[name], peer, runs[peer], limit) for peer, limit in limits.items()),
        Row(
            name=f"client: CPU of {name}",
            unit="ms",
            median=_cpu_ms(runs[name]),
            against=_LIBRARIES,
            reference=_cpu_ms(runs[_LIBRARIES]),
            at_most=limits[_LIBRARIES],
        ),
        Row(
            name=f"client: modules that {name} imports",
            unit="",
            median=_imported(environ, "-m", "antidrift_cli", verb),
            against=_PLAIN,
            reference=_imported(environ, *_NOTHING),
        ),
    ]


def _time(
    name: str, runs: list[WholeRun], peer: str, others: list[WholeRun], limit: float | None
) -> Row:
    samples = [run.secs for run in runs]
    return Row(
        name=f"client: {name}, from start to end",
        unit="ms",
        median=1e3 * median(samples),
        p99=1e3 * p99(samples),
        against=peer,
        reference=1e3 * median([run.secs for run in others]),
        at_most=limit,
    )


def _cpu_ms(runs: list[WholeRun]) -> float:
    return 1e3 * median([run.cpu_secs for run in runs])


def _run_in_turn(
    commands: Mapping[str, tuple[str, ...]], environ: Mapping[str, str]
) -> dict[str, list[WholeRun]]:
    runs: dict[str, list[WholeRun]] = {name: [] for name in commands}
    for _ in range(_ROUNDS):
        for name in random.sample(list(commands), len(commands)):
            runs[name].append(run_whole(commands[name], environ))
    return runs


def _imported(environ: Mapping[str, str], *arguments: str) -> int:
    """Count the modules that Python imports, its own beginnings included."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr.count("import time:") - 1  # the heading

"""How long a verb of the client takes as a whole process, and how many modules it imports."""

import random
import subprocess
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import trio

from tests.bench.installed import Installation, install
from tests.bench.processes import WholeRun, run_whole
from tests.bench.rows import Row, median, p99
from tests.bench.sessions import open_idle

_ROUNDS = 40

_NOTHING = ("-c", "pass")
_PLAIN = "`python -c pass`"
_BAREST = "`python -I -S -c pass`"

_LIMITS: Mapping[str, Mapping[str, float | None]] = {
    "--help": {_PLAIN: 5.0, _BAREST: None},
    "status": {_PLAIN: 5.0, _BAREST: None},
    "refocus": {_PLAIN: 5.0, _BAREST: None},
    "why": {_PLAIN: 5.0, _BAREST: None},
    "prompt": {_PLAIN: None, _BAREST: 1.5},
}
"""What is typed, and the most that it may take beside Python that does nothing."""


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield what verbs take that are typed alone, installed as a user has them."""
    installation = await trio.to_thread.run_sync(install, directory)
    async with open_idle(directory) as daemon:
        await daemon.request("start", next_action="measure", timebox_secs=3600)
        for row in await trio.to_thread.run_sync(_rows, installation, daemon.home.environ):
            yield row


def _rows(installation: Installation, environ: Mapping[str, str]) -> list[Row]:
    peers = {
        _PLAIN: (installation.python, *_NOTHING),
        _BAREST: (installation.python, "-I", "-S", *_NOTHING),
    }
    verbs = {verb: installation.antidrift(verb) for verb in _LIMITS}
    runs = _run_in_turn({**peers, **verbs}, environ)
    return [row for verb in _LIMITS for row in _rows_of(verb, runs)] + [
        Row(
            name=f"client: modules that `antidrift {verb}` imports",
            unit="",
            median=_imported(environ, installation.python, *installation.antidrift(verb)),
            against=_PLAIN,
            reference=_imported(environ, installation.python, *_NOTHING),
        )
        for verb in _LIMITS
    ]


def _rows_of(verb: str, runs: Mapping[str, list[WholeRun]]) -> list[Row]:
    """Return the rows of a verb: from start to end, and its CPU time, which load disturbs less."""
    figures = {
        f"client: `antidrift {verb}`, from start to end": _wall_ms,
        f"client: CPU of `antidrift {verb}`": _cpu_ms,
    }
    return [
        Row(
            name=name,
            unit="ms",
            median=median(figure(runs[verb])),
            p99=p99(figure(runs[verb])),
            against=peer,
            reference=median(figure(runs[peer])),
            at_most=limit,
        )
        for name, figure in figures.items()
        for peer, limit in _LIMITS[verb].items()
    ]


def _wall_ms(runs: list[WholeRun]) -> list[float]:
    return [1e3 * run.secs for run in runs]


def _cpu_ms(runs: list[WholeRun]) -> list[float]:
    return [1e3 * run.cpu_secs for run in runs]


def _run_in_turn(
    commands: Mapping[str, tuple[str, ...]], environ: Mapping[str, str]
) -> dict[str, list[WholeRun]]:
    runs: dict[str, list[WholeRun]] = {name: [] for name in commands}
    for _ in range(_ROUNDS):
        for name in random.sample(list(commands), len(commands)):
            runs[name].append(run_whole(commands[name], environ))
    return runs


def _imported(environ: Mapping[str, str], python: str, *arguments: str) -> int:
    """Count the modules that Python imports, its own beginnings included."""
    done = subprocess.run(
        [python, "-X", "importtime", *arguments],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr.count("import time:") - 1  # the heading

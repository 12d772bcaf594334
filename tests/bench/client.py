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
_PEERS = {
    "`python -c pass`": (sys.executable, *_NOTHING),
    "`python -I -S -c pass`": (sys.executable, "-I", "-S", *_NOTHING),
}
_PLAIN = next(iter(_PEERS))
_LIMIT = 5.0


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield the time of `--help` and `status`, each beside Python that does nothing."""
    arguments = ("--help", "status")
    ours = {f"`antidrift {argument}`": (script("antidrift"), argument) for argument in arguments}
    async with open_idle(directory) as daemon:
        environ = daemon.home.environ
        runs = _run_in_turn({**ours, **_PEERS}, environ)
        imported = [_imported(environ, "-m", "antidrift_cli", argument) for argument in arguments]
        plain_imported = _imported(environ, *_NOTHING)
    for name, modules in zip(ours, imported, strict=True):
        for peer in _PEERS:
            yield _time(name, runs[name], peer, runs[peer], _LIMIT if peer == _PLAIN else None)
        yield Row(
            name=f"client: CPU of {name}",
            unit="ms",
            median=_cpu_ms(runs[name]),
            against=_PLAIN,
            reference=_cpu_ms(runs[_PLAIN]),
            at_most=_LIMIT,
        )
        yield Row(
            name=f"client: modules that {name} imports",
            unit="",
            median=modules,
            against=_PLAIN,
            reference=plain_imported,
        )


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

"""How long a year's history takes to be looked back on, beside SQLite that only adds it up."""

import os
import random
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Final

import trio

from protocol.history import HISTORY_FILE
from tests.bench.processes import WholeRun, run_whole, script
from tests.bench.rows import Row, median, p99
from tests.bench.year import make_year

_ROUNDS: Final = 10
_PROMISE_SECS: Final = 2.0
_SESSIONS, _INTERVALS = 10_000, 500

_PLAIN: Final = "SQLite that adds up the same rows"
_ADD_UP: Final = """
import click, msgspec, os, sqlite3
connection = sqlite3.connect(os.environ["HISTORY"])
for table in ("ended_sessions", "session_classes", "session_slots", "answers"):
    column = {"ended_sessions": "ontask_secs", "answers": "at"}.get(table, "secs")
    print(connection.execute(f"SELECT total({column}) FROM {table}").fetchone())
"""
_VERBS: Final = {"report": ("report",), "log": ("log",)}


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield what `report` and `log` take of 10,000 sessions with 5 million intervals.

    To make that year takes some minutes.
    """
    history = directory / "year" / HISTORY_FILE
    history.parent.mkdir(mode=0o700)
    await trio.to_thread.run_sync(make_year, history, _SESSIONS, _INTERVALS)
    environ = {
        **os.environ,
        "ANTIDRIFT_STATE_DIR": str(history.parent),
        "HISTORY": str(history),
    }
    for row in _rows(environ):
        yield row


def _rows(environ: Mapping[str, str]) -> list[Row]:
    commands = {name: (script("antidrift"), *args) for name, args in _VERBS.items()}
    runs = _run_in_turn({**commands, _PLAIN: (sys.executable, "-c", _ADD_UP)}, environ)
    rows = []
    for name in _VERBS:
        secs = [run.secs for run in runs[name]]
        peers = (
            (f"{_PROMISE_SECS:.0f} s", 1e3 * _PROMISE_SECS, 1.0),
            (_PLAIN, 1e3 * median([run.secs for run in runs[_PLAIN]]), None),
        )
        rows += [
            Row(
                name=f"report: `antidrift {name}` of a year, from start to end",
                unit="ms",
                median=1e3 * median(secs),
                p99=1e3 * p99(secs),
                against=against,
                reference=reference,
                at_most=limit,
            )
            for against, reference, limit in peers
        ]
        rows.append(_cpu(name, runs[name], runs[_PLAIN]))
    return rows


def _cpu(name: str, runs: list[WholeRun], plain: list[WholeRun]) -> Row:
    return Row(
        name=f"report: CPU of `antidrift {name}` of a year",
        unit="ms",
        median=1e3 * median([run.cpu_secs for run in runs]),
        against=_PLAIN,
        reference=1e3 * median([run.cpu_secs for run in plain]),
        at_most=6.0,
    )


def _run_in_turn(
    commands: Mapping[str, tuple[str, ...]], environ: Mapping[str, str]
) -> dict[str, list[WholeRun]]:
    runs: dict[str, list[WholeRun]] = {name: [] for name in commands}
    for _ in range(_ROUNDS):
        for name in random.sample(list(commands), len(commands)):
            runs[name].append(run_whole(commands[name], environ))
    return runs

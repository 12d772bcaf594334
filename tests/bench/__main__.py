"""Measures, and prints each figure beside what it is held against: `make bench`."""

import argparse
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from compileall import compile_dir
from pathlib import Path

import trio

from tests.bench import (
    client,
    deciding,
    fanout,
    flood,
    focus,
    history,
    idle,
    memory,
    prompt,
    report,
    requests,
    saving,
    startup,
    table,
)
from tests.bench.rows import Row
from tests.checkout import PACKAGES, ROOT

Measure = Callable[[Path], AsyncIterator[Row]]
"""Measures with files in a directory, and yields its rows as it finds them."""

TOPICS: dict[str, Measure] = {
    "focus": focus.measure,
    "idle": idle.measure,
    "requests": requests.measure,
    "fan-out": fanout.measure,
    "saving": saving.measure,
    "client": client.measure,
    "startup": startup.measure,
    "memory": memory.measure,
    "core": deciding.measure,
    "flood": flood.measure,
    "prompt": prompt.measure,
    "history": history.measure,
    "report": report.measure,
    "endurance": memory.endure,
}
ON_REQUEST = {"endurance"}
"""What takes longer than all else together, and is measured only when it is named."""


def main() -> int:
    """Measure the named topics, or all but the longest; return 1 when something doesn't hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("topics", nargs="*", metavar="topic", help=f"of: {', '.join(TOPICS)}")
    topics = parser.parse_args().topics or [name for name in TOPICS if name not in ON_REQUEST]
    if unknown := set(topics) - set(TOPICS):
        parser.error(f"no such topic: {', '.join(sorted(unknown))}")
    for package in PACKAGES:
        # As installing does; else the first start of anything pays for it, or even every start.
        compile_dir(ROOT / package, quiet=1)
    python = ".".join(map(str, sys.version_info[:3]))
    print(f"Python {python}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}\n")
    print(table.heading())
    rows = trio.run(_measure, topics)
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")
    return 0 if all(row.holds for row in rows) else 1


async def _measure(topics: list[str]) -> list[Row]:
    rows = []
    with tempfile.TemporaryDirectory(prefix="bench-") as directory:
        for topic in topics:
            async for row in TOPICS[topic](Path(directory)):
                print(table.line(row), flush=True)
                rows.append(row)
    return rows


if __name__ == "__main__":
    sys.exit(main())

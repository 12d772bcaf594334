"""What the history takes on the disk, and what a write costs once there is much of it."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

from antidriftd.adapters.store.history import SqliteHistoryStore
from antidriftd.core.recording_state import Entry, Interval
from tests.bench.rows import Row, median, p99
from tests.bench.year import BEGAN, make_year

_SESSIONS, _INTERVALS = 1_000, 500
_WRITES = 40


async def measure(directory: Path) -> AsyncIterator[Row]:
    """Yield the bytes of an interval, and a write's time after very many of them."""
    full = directory / "full.sqlite3"
    began = time.perf_counter()
    make_year(full, _SESSIONS, _INTERVALS)
    made_secs = time.perf_counter() - began
    count = _SESSIONS * _INTERVALS
    yield Row(name="history: intervals made up", unit="/s", median=count / made_secs)
    yield Row(
        name="history: an interval on the disk",
        unit="bytes",
        median=full.stat().st_size / count,
        against="its five numbers",
        reference=5 * 8,
        at_most=1.25,
    )
    stores = {
        name: SqliteHistoryStore(path, time.time)
        for name, path in (("empty", directory / "empty.sqlite3"), ("full", full))
    }
    took: dict[str, list[float]] = {name: [] for name in stores}
    for number in range(_WRITES):
        for name, store in stores.items():
            began = time.perf_counter()
            await store.write([Entry(number, _interval(number))])
            took[name].append((time.perf_counter() - began) * 1000)
    del took["empty"][0], took["full"][0]  # the check of all pages is done once
    yield Row(
        name=f"history: a write after {count:,} intervals",
        unit="ms",
        median=median(took["full"]),
        p99=p99(took["full"]),
        against="into an empty one",
        reference=median(took["empty"]),
        at_most=4.0,
    )


def _interval(number: int) -> Interval:
    return Interval(
        session_id="measured",
        number=number,
        began=BEGAN + number * 60.0,
        secs=60.0,
        window_class="code",
        title="",
        bucket="ontask",
        switches=0,
        drift_episodes=0,
    )

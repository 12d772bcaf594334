"""What a write costs does not grow with what is there: it is the same after a long history."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from antidriftd.adapters.store import history_file, history_rows
from antidriftd.adapters.store.history_schema import MIGRATIONS
from tests.adapters.store.histories import interval, numbered, whole
from tests.bench.year import make_year

SHORT, LONG = 20, 200
"""How many sessions there are, of fifty intervals."""


def steps_of_a_write(path: Path) -> int:
    """Return how many instructions SQLite's machine takes to write a session."""
    with history_file.opened(path, MIGRATIONS) as connection, connection:
        connection.execute("BEGIN")
        steps = count_steps(connection)
        history_rows.put(connection, whole("new"))
        history_rows.put(connection, numbered(interval("next", 1, window_class="never seen")))
    return len(steps)


def count_steps(connection: sqlite3.Connection) -> list[None]:
    """Return a list that grows with each step."""
    steps: list[None] = []
    connection.set_progress_handler(lambda: steps.append(None), 1)
    return steps


def test_a_write_takes_as_many_steps_after_ten_times_the_history(tmp_path: Path) -> None:
    steps = []
    for sessions in (SHORT, LONG):
        path = tmp_path / f"{sessions}.sqlite3"
        make_year(path, sessions, 50)
        steps.append(steps_of_a_write(path))

    assert steps[0] > 100
    assert steps[1] == pytest.approx(steps[0], rel=0.05)


def test_a_query_that_reads_all_intervals_is_caught(tmp_path: Path) -> None:
    """The same count, of what a history without its keys would have to do."""
    steps = []
    for sessions in (SHORT, LONG):
        path = tmp_path / f"{sessions}.sqlite3"
        make_year(path, sessions, 50)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE plain AS SELECT * FROM intervals")
            found = count_steps(connection)
            connection.execute("SELECT sum(secs) FROM plain WHERE session = 1").fetchall()
        steps.append(len(found))

    assert steps[1] > 5 * steps[0]

"""What the tests of learning share: a home to learn in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.forks import Forks, open_forks
from tests.learning.world import World, open_world


@pytest.fixture(scope="session", name="forks")
def daemon_forks() -> Iterator[Forks]:
    """What forks daemons, for all tests: each would else take half a second to load."""
    with open_forks() as forks:
        yield forks


@pytest.fixture
def world(tmp_path: Path, forks: Forks) -> World:
    """A home in which nothing is bound yet."""
    return open_world(tmp_path, forks)

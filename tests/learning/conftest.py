"""What the tests of learning share: a home to learn in."""

from pathlib import Path

import pytest

from tests.faults.forks import Forks
from tests.learning.world import World, open_world


@pytest.fixture
def world(tmp_path: Path, forks: Forks) -> World:
    """A home in which nothing is bound yet."""
    return open_world(tmp_path, forks)

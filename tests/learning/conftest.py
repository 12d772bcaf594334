"""What the tests of learning share: a home to learn in."""

from pathlib import Path

import pytest

from tests.learning.world import World, open_world


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A home in which nothing is bound yet."""
    return open_world(tmp_path)

"""A daemon that is to die at a point, and asking it for what kills it."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.clients import Gone
from tests.learning.world import Person, World

RECEIPT = r"receipts/\.[0-9a-f]+\.json\.new"


@asynccontextmanager
async def doomed(
    world: World, event: str, pattern: str, when: str = "", **options: Any
) -> AsyncIterator[Person]:
    """Run a daemon that dies at a point; at the end it must have died there."""
    program = (sys.executable, "-m", "tests.learning.dying", event, pattern, when)
    async with world.daemon(program=program, **options) as person:
        yield person
        assert await person.daemon.wait() == -9


async def asks(person: Person, method: str, **params: Any) -> None:
    """Ask for what kills the daemon."""
    with pytest.raises(Gone):
        await person.daemon.request(method, **params)

"""Two private buses, and what is usually on them."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.logind import FakeLogind, open_logind
from tests.session_bus import SessionBus, open_bus


@pytest.fixture
async def system_bus() -> AsyncIterator[SessionBus]:
    async with open_bus() as bus:
        yield bus


@pytest.fixture
async def session_bus() -> AsyncIterator[SessionBus]:
    async with open_bus() as bus:
        yield bus


@pytest.fixture
async def logind(system_bus: SessionBus) -> AsyncIterator[FakeLogind]:
    async with open_logind(system_bus.address) as logind:
        yield logind

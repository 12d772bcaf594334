"""A private bus, and a server on it that can do all there is to do."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.notification_server import FakeNotificationServer, open_server
from tests.session_bus import SessionBus, open_bus


@pytest.fixture
async def bus() -> AsyncIterator[SessionBus]:
    async with open_bus() as bus:
        yield bus


@pytest.fixture
async def server(bus: SessionBus) -> AsyncIterator[FakeNotificationServer]:
    async with open_server(bus.address) as server:
        yield server

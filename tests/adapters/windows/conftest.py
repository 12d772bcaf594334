"""A display with a client and a running sensor."""

from collections.abc import AsyncIterator, Iterator

import pytest

from antidriftd.adapters.windows.x11_sensor import X11WindowSensor
from antidriftd.core.model import Display
from tests.adapters.windows.recording_sink import RecordingSink, open_sensor
from tests.x11 import XClient, open_xvfb


@pytest.fixture
async def x_display() -> AsyncIterator[str]:
    async with open_xvfb() as name:
        yield name


@pytest.fixture
def client(x_display: str) -> Iterator[XClient]:
    with XClient(x_display) as client:
        client.set_active(0)
        yield client


@pytest.fixture
async def sink(x_display: str, client: XClient) -> AsyncIterator[RecordingSink]:
    """What a sensor tells of a display on which nothing is in front yet."""
    async with open_sensor(X11WindowSensor(Display(x_display), False, "auto")) as sink:
        await sink.wait_window(None)
        yield sink

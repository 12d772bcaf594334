"""A sink that keeps what a sensor tells it, and lets a test wait for it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from antidriftd.adapters.windows.port import WindowSensor
from antidriftd.core.model import SensorHealth, Window

WAIT_SECS = 30


class RecordingSink:
    """What a sensor told, in order."""

    def __init__(self) -> None:
        self.events: list[SensorHealth | Window | None] = []
        self.idle_secs: list[float | None] = []
        self._told = trio.Event()

    def window_focused(self, window: Window | None) -> None:
        self._tell(window)

    def input_seen(self, idle_secs: float | None) -> None:
        self.idle_secs.append(idle_secs)
        self._wake()

    def sensor_changed(self, health: SensorHealth) -> None:
        self._tell(health)

    @property
    def healths(self) -> list[SensorHealth]:
        return [event for event in self.events if isinstance(event, SensorHealth)]

    @property
    def windows(self) -> list[Window | None]:
        return [event for event in self.events if not isinstance(event, SensorHealth)]

    @property
    def titles(self) -> list[str]:
        return [window.title for window in self.windows if window]

    async def wait_window(self, window: Window | None) -> None:
        """Wait until `window` is what is in front."""
        await self._wait(lambda: bool(self.windows) and self.windows[-1] == window)

    async def wait_title(self, title: str) -> Window:
        """Wait until a window with that title is in front, and return it."""
        await self._wait(lambda: self._front_title() == title)
        window = self.windows[-1]
        assert window is not None
        return window

    async def wait_health(self, *, ok: bool, detail: str = "", healths: int = 0) -> SensorHealth:
        """Wait for a health whose detail holds `detail`, after `healths` others were told."""
        await self._wait(
            lambda: (
                len(self.healths) > healths
                and self.healths[-1].ok is ok
                and detail in self.healths[-1].detail
            )
        )
        return self.healths[-1]

    async def wait_idle_secs(self, *, count: int) -> list[float | None]:
        """Wait until input was told of `count` times, and return what was told."""
        await self._wait(lambda: len(self.idle_secs) >= count)
        return self.idle_secs

    def _front_title(self) -> str | None:
        window = self.windows[-1] if self.windows else None
        return window.title if window else None

    def _tell(self, event: SensorHealth | Window | None) -> None:
        self.events.append(event)
        self._wake()

    def _wake(self) -> None:
        self._told.set()
        self._told = trio.Event()

    async def _wait(self, condition: Callable[[], bool]) -> None:
        with trio.move_on_after(WAIT_SECS) as patience:
            while not condition():
                await self._told.wait()
        assert not patience.cancelled_caught, f"not told in time; the last: {self.events[-5:]}"


@asynccontextmanager
async def open_sensor(sensor: WindowSensor) -> AsyncIterator[RecordingSink]:
    """Run a sensor in the background, yielding what it tells."""
    sink = RecordingSink()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(sensor.run, sink)
        yield sink
        nursery.cancel_scope.cancel()

"""A window sensor that sees what the test says."""

import trio

from antidriftd.adapters.windows.port import WindowSink
from antidriftd.core.model import Display, SensorHealth, Window


class FakeWindowSensor:
    """Works from the start; its sink takes windows once it runs."""

    def __init__(self) -> None:
        self.displays: list[Display] = []
        self.failure: Exception | None = None
        """Raised by the next `run`."""
        self.runs = 0
        self._sink: WindowSink | None = None

    async def run(self, sink: WindowSink) -> None:
        """Report to `sink` until cancelled."""
        self.runs += 1
        if self.failure is not None:
            raise self.failure
        self._sink = sink
        sink.sensor_changed(SensorHealth("fake", ok=True))
        await trio.sleep_forever()

    def use_display(self, display: Display) -> None:
        """Remember the display that a client offered."""
        self.displays.append(display)

    def report(self, health: SensorHealth) -> None:
        """Tell that windows can be seen, or that they can't."""
        assert self._sink is not None, "the sensor doesn't run"
        self._sink.sensor_changed(health)

    def focus(self, window_class: str, title: str = "") -> None:
        """Bring a window to the front."""
        assert self._sink is not None, "the sensor doesn't run"
        self._sink.window_focused(Window(window_class, title))

    def focus_nothing(self) -> None:
        """Have no window in front."""
        assert self._sink is not None, "the sensor doesn't run"
        self._sink.window_focused(None)

    def idle(self, secs: float | None) -> None:
        """Have the last key or mouse movement that long ago; None: it can't be seen."""
        assert self._sink is not None, "the sensor doesn't run"
        self._sink.input_seen(secs)

"""The port through which the window in front reaches the daemon."""

from typing import Protocol

from antidriftd.core.model import Display, SensorHealth, Window


class WindowSink(Protocol):
    """Where a sensor reports; both calls return at once."""

    def window_focused(self, window: Window | None) -> None:
        """Tell which window is in front now; None when there is none."""

    def input_seen(self, idle_secs: float | None) -> None:
        """Tell how long ago a key or the mouse was touched last; None when that can't be seen."""

    def sensor_changed(self, health: SensorHealth) -> None:
        """Tell whether windows can be seen."""


class WindowSensor(Protocol):
    """A source of window observations."""

    async def run(self, sink: WindowSink) -> None:
        """Report to `sink` until cancelled; recovers from every failure of its source by itself."""

    def use_display(self, display: Display) -> None:
        """Take an X display that a client offered; ignored by sensors that need none."""

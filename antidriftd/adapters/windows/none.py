"""The sensor that sees nothing, for those who want no window stream."""

import trio

from antidriftd.adapters.windows.port import WindowSink
from antidriftd.adapters.windows.report import SensorReport
from antidriftd.core.model import Display


class NoWindowSensor:
    """Says once that there is no window stream."""

    async def run(self, sink: WindowSink) -> None:
        """Report to `sink`, then do nothing until cancelled."""
        SensorReport(sink, name="none").fails("no window stream (sensor none)")
        await trio.sleep_forever()

    def use_display(self, display: Display) -> None:
        """Ignore it."""

"""The replay sensor: plays recorded windows at their pace, as if they were in front."""

import math
from pathlib import Path

from antidriftd.adapters.windows.child import SensorProgram, keep_running
from antidriftd.adapters.windows.port import WindowSink
from antidriftd.adapters.windows.report import SensorReport
from antidriftd.core.model import Display


def parse_replay_spec(spec: str) -> tuple[Path, float]:
    """Return the file and the speed that `FILE[@SPEED]` names; a file of that very name wins.

    Raises:
        ValueError: no file is named, or the speed is not a number above 0.
    """
    path, separator, speed_text = spec.rpartition("@")
    if not separator or Path(spec).exists():
        path, speed_text = spec, "1"
    try:
        speed = float(speed_text)
    except ValueError:
        # An "@" in the name of a file that is missing; the sensor will say so.
        path, speed = spec, 1.0
    if not path:
        raise ValueError("replay needs a file: replay:FILE[@SPEED]")
    if not 0 < speed < math.inf:
        raise ValueError(f"a replay's speed is a number above 0, not {speed_text!r}")
    return Path(path), speed


class ReplayWindowSensor:
    """Plays a recording, through a program of its own."""

    def __init__(self, path: Path, speed: float = 1.0) -> None:
        self._program = SensorProgram(
            "antidriftd.adapters.windows.replay", (str(path), repr(speed))
        )

    async def run(self, sink: WindowSink) -> None:
        """Report to `sink` until cancelled."""
        await keep_running(self._program, SensorReport(sink, name="replay"))

    def use_display(self, display: Display) -> None:
        """Ignore it: a recording needs no display."""

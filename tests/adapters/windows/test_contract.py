"""What every window sensor keeps to, whatever its source."""

import contextlib
import itertools
import os
from pathlib import Path

import pytest
import trio.testing

from antidriftd.adapters.windows.none import NoWindowSensor
from antidriftd.adapters.windows.port import WindowSensor
from antidriftd.adapters.windows.replay_sensor import ReplayWindowSensor
from antidriftd.adapters.windows.x11_sensor import X11WindowSensor
from antidriftd.core.model import Display, SensorHealth, Window
from tests.adapters.windows.recording_sink import RecordingSink, open_sensor
from tests.x11 import XClient

VIM = Window("XTerm", "vim", "xterm")

OFFERS = [
    Display(""),
    Display("\0"),
    Display("elsewhere:0"),
    Display(":59999", "/no/such/file", "x11"),
    Display(":59999", "", "tty"),
]


@pytest.fixture(params=["replay", "x11", "none"])
def source(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def sensor(source: str, tmp_path: Path, x_display: str, client: XClient) -> WindowSensor:
    client.set_active(client.make_window(VIM.window_class, VIM.title))
    if source == "x11":
        return X11WindowSensor(Display(x_display), False, "x11")
    if source == "none":
        return NoWindowSensor()
    line = '{"at": 0, "class": "XTerm", "title": "vim", "instance": "xterm"}\n'
    (tmp_path / "day.jsonl").write_text(line + line)
    return ReplayWindowSensor(tmp_path / "day.jsonl")


async def settled(source: str, sink: RecordingSink) -> None:
    """Wait until a sensor has told what there is to tell."""
    if source == "none":
        await sink.wait_health(ok=False)
    else:
        await sink.wait_window(VIM)


def child_count() -> int:
    """Count the processes that this one has started, those not reaped included."""
    count = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            count += f"\nPPid:\t{os.getpid()}\n" in status.read_text()
    return count


class TestWindowSensorContract:
    async def test_it_tells_what_it_sees_and_under_its_own_name(
        self, source: str, sensor: WindowSensor
    ) -> None:
        async with open_sensor(sensor) as sink:
            await settled(source, sink)

        assert sink.healths[-1].name == source
        assert sink.healths[-1].ok is (source != "none")
        assert sink.windows == ([] if source == "none" else [VIM])

    async def test_windows_are_told_only_while_it_works(
        self, source: str, sensor: WindowSensor
    ) -> None:
        async with open_sensor(sensor) as sink:
            await settled(source, sink)

        works = False
        for event in sink.events:
            if isinstance(event, SensorHealth):
                works = event.ok
            else:
                assert works

    async def test_health_is_told_when_it_changes_and_not_again(
        self, source: str, sensor: WindowSensor
    ) -> None:
        async with open_sensor(sensor) as sink:
            await settled(source, sink)

        assert sink.healths != []
        assert all(one != next_one for one, next_one in itertools.pairwise(sink.healths))
        assert all(health.detail for health in sink.healths if not health.ok)

    async def test_only_a_display_tells_of_input(self, source: str, sensor: WindowSensor) -> None:
        async with open_sensor(sensor) as sink:
            await settled(source, sink)
            told = [] if source == "none" else await sink.wait_idle_secs(count=1)

        assert all((idle_secs is not None) is (source == "x11") for idle_secs in told)

    async def test_displays_that_it_cannot_use_change_nothing(
        self, source: str, sensor: WindowSensor
    ) -> None:
        async with open_sensor(sensor) as sink:
            await settled(source, sink)
            told = list(sink.events)
            for display in OFFERS:
                sensor.use_display(display)
            await trio.testing.wait_all_tasks_blocked(0.05)

            assert sink.events == told

    async def test_it_leaves_no_process_and_can_be_run_again(
        self, source: str, sensor: WindowSensor
    ) -> None:
        before = child_count()
        for _ in range(2):
            async with open_sensor(sensor) as sink:
                await settled(source, sink)
                assert child_count() == before + (source != "none")
            assert child_count() == before

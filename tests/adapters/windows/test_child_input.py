"""What a sensor program tells of input, on its way to the sink."""

from pathlib import Path

from antidriftd.core.model import Window
from tests.adapters.windows.sensor_programs import WORKING, keeping, program


async def test_every_time_without_input_is_reported(tmp_path: Path) -> None:
    source = """
for idle_secs in (1.5, 1.5, 0):
    say({"alive": True, "idle_secs": idle_secs})
    time.sleep(0.2)
wait()
"""
    async with keeping(program(tmp_path, source)) as sink:
        assert await sink.wait_idle_secs(count=3) == [1.5, 1.5, 0]

    assert sink.events == [WORKING]


async def test_only_the_newest_input_of_a_burst_is_reported(tmp_path: Path) -> None:
    source = (
        'say(*({"alive": True, "idle_secs": secs} for secs in (70, 72, 0.5)), see("a")); wait()'
    )

    async with keeping(program(tmp_path, source)) as sink:
        await sink.wait_window(Window("Fake", "a"))

    assert sink.idle_secs == [0.5]


async def test_that_input_cannot_be_seen_is_reported_once(tmp_path: Path) -> None:
    source = """
for sign in ({}, {}, {"idle_secs": 3}, {}, {}, {"idle_secs": 4}):
    say({"alive": True} | sign)
    time.sleep(0.2)
wait()
"""
    async with keeping(program(tmp_path, source)) as sink:
        assert await sink.wait_idle_secs(count=4) == [None, 3, None, 4]


async def test_times_without_input_that_cannot_be_are_not_reported(tmp_path: Path) -> None:
    source = """
for bad in (-1, float("nan"), float("inf"), 1e300, 10**30, "7", True, [], {}):
    say({"alive": True, "idle_secs": bad})
    time.sleep(0.02)
say({"alive": True, "idle_secs": 7})
wait()
"""
    async with keeping(program(tmp_path, source)) as sink:
        assert await sink.wait_idle_secs(count=1) == [7]

"""What a sensor program tells of input, on its way to the sink."""

from pathlib import Path

from antidriftd.core.model import Window
from tests.adapters.windows.sensor_programs import follow, keeping, program


async def test_every_time_without_input_is_reported(tmp_path: Path) -> None:
    source = """
for number, idle_secs in enumerate((1.5, 1.5, 0)):
    step(number, {"alive": True, "idle_secs": idle_secs})
wait()
"""
    async with keeping(program(tmp_path, source)) as sink:
        await follow(sink, tmp_path, 3)

    assert sink.idle_secs == [1.5, 1.5, 0]


async def test_only_the_newest_input_of_a_burst_is_reported(tmp_path: Path) -> None:
    source = (
        'say(*({"alive": True, "idle_secs": secs} for secs in (70, 72, 0.5)), see("a")); wait()'
    )

    async with keeping(program(tmp_path, source)) as sink:
        await sink.wait_window(Window("Fake", "a"))

    assert sink.idle_secs == [0.5]


async def test_that_input_cannot_be_seen_is_reported_once(tmp_path: Path) -> None:
    source = """
for number, sign in enumerate(({}, {}, {"idle_secs": 3}, {}, {}, {"idle_secs": 4})):
    step(number, {"alive": True} | sign)
wait()
"""
    async with keeping(program(tmp_path, source)) as sink:
        await follow(sink, tmp_path, 6)

    assert sink.idle_secs == [None, 3, None, 4]


async def test_times_without_input_that_cannot_be_are_not_reported(tmp_path: Path) -> None:
    source = """
impossible = (-1, float("nan"), float("inf"), 1e300, 10**30, "7", True, [], {})
for number, bad in enumerate(impossible):
    step(number, {"alive": True, "idle_secs": bad})
step(len(impossible), {"alive": True, "idle_secs": 7})
wait()
"""
    async with keeping(program(tmp_path, source)) as sink:
        await follow(sink, tmp_path, 10)

    assert sink.idle_secs == [7]

"""Programs on disk that stand in for a sensor, and what keeps one running."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from antidriftd.adapters.windows.child import SensorProgram, keep_running
from antidriftd.adapters.windows.report import SensorReport
from antidriftd.core.model import SensorHealth
from tests.adapters.windows.recording_sink import RecordingSink

PREAMBLE = '''
import json, os, signal, sys, time

def say(*records):
    os.write(1, b"".join(json.dumps(record).encode() + b"\\n" for record in records))

def see(title):
    return {"class": "Fake", "title": title}

def wait():
    sys.stdin.read()

def step(number, *records):
    """Say this with a window of that number, and wait until the test has seen it."""
    say(*records, see(str(number)))
    while not os.path.exists(f"{os.path.dirname(__file__)}/seen {number}"):
        time.sleep(0.01)

def count_run():
    with open(os.environ["COUNT_FILE"], "a+") as file:
        file.write("x")
        return file.tell() - 1
'''

WORKING = SensorHealth("fake", ok=True)


def program(tmp_path: Path, source: str) -> SensorProgram:
    (tmp_path / "fake_sensor.py").write_text(PREAMBLE + source)
    variables = {"PYTHONPATH": str(tmp_path), "COUNT_FILE": str(tmp_path / "count")}
    return SensorProgram("fake_sensor", variables=variables)


async def follow(sink: RecordingSink, tmp_path: Path, steps: int) -> None:
    """See each of a program's steps, one after the other, so that no two are read at once."""
    for number in range(steps):
        await sink.wait_title(str(number))
        (tmp_path / f"seen {number}").touch()


@asynccontextmanager
async def keeping(program: SensorProgram, silence_secs: float = 30) -> AsyncIterator[RecordingSink]:
    sink = RecordingSink()
    report = SensorReport(sink, name="fake", unavailable_name="no fake")
    async with trio.open_nursery() as nursery:

        async def keep() -> None:
            await keep_running(program, report, silence_secs=silence_secs)

        nursery.start_soon(keep)
        yield sink
        nursery.cancel_scope.cancel()

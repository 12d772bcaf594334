"""How many windows a second the core can decide about, alone in this process."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

from antidriftd.core.effects import SaveSnapshot, WriteHistory
from antidriftd.core.events import Event, HistoryWritten, SnapshotSaved, WindowFocused
from antidriftd.core.machine import Transition, transition
from antidriftd.core.model import Moment, Window
from antidriftd.core.state import State
from tests.bench.rows import Row, median
from tests.builders import FREE_JUDGE, Machine

_WINDOWS = 20
_OBSERVATIONS = 1_000
_ROUNDS = 9
_LONG_DAY = 1_100
"""More windows than the verdicts and the classes that a session keeps."""


async def measure(_: Path) -> AsyncIterator[Row]:
    """Yield the observations a second at the start of a session and after a long day."""
    fresh, late = _session(windows=0), _session(windows=_LONG_DAY)
    paces: dict[str, list[float]] = {"fresh": [], "late": []}
    for _round in range(_ROUNDS):
        paces["fresh"].append(_pace(fresh))
        paces["late"].append(_pace(late))
    yield Row(
        name="core: windows decided about, at the start of a session",
        unit="/s",
        median=median(paces["fresh"]),
        against="the promise: 50,000 a second",
        reference=50_000.0,
        at_least=1.0,
    )
    yield Row(
        name=f"core: the same after {_LONG_DAY:,} windows",
        unit="/s",
        median=median(paces["late"]),
        against="at the start",
        reference=median(paces["fresh"]),
        at_least=0.5,
    )


def _session(*, windows: int) -> Machine:
    """Return a session that has seen so many windows stay, each of a class of its own."""
    machine = Machine(FREE_JUDGE)
    machine.start("Code")
    for number in range(windows):
        machine.focus(f"Program {number}", f"page {number}")
        machine.wait(FREE_JUDGE.dwell_secs)
        machine.answer(on_task=number % 2 == 0)
    return machine


def _pace(machine: Machine) -> float:
    """Return how many windows a second the core takes in; its state stays as it is.

    What it wants written is written at once, as a daemon's disk does it.
    """
    events = [
        WindowFocused(Window("Code" if number % 2 else "Reader", f"page {number}"))
        for number in range(_WINDOWS)
    ]
    time_, state, now = machine.time, machine.state, []
    for _ in range(_OBSERVATIONS):
        time_.advance(0.15)
        now.append(time_.now())
    began = time.process_time()
    for number, at in enumerate(now):
        state = _after(transition(state, events[number % _WINDOWS], at), at)
    return _OBSERVATIONS / (time.process_time() - began)


def _after(result: Transition, now: Moment) -> State:
    state = result.state
    for effect in result.effects:
        match effect:
            case SaveSnapshot():
                entries_to = state.recording.next_number - 1
                written: Event = SnapshotSaved(state.revision, entries_to)
            case WriteHistory(entries=entries):
                written = HistoryWritten(entries[-1].number)
            case _:
                continue
        state = _after(transition(state, written, now), now)
    return state

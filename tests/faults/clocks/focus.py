"""A session on an allowed window, whose clocks a test moves, and what is counted in it."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from tests.adapters.store.histories import contents, contents_if_any
from tests.clients import State
from tests.daemons import PROGRAM, Daemon
from tests.faults.clocks.shifted import Clocks, open_shifted
from tests.faults.findings import Findings
from tests.waiting import wait_until

DAY_SECS = 86_400.0
NAMES = ("ontask_secs", "drift_secs", "unjudged_secs", "away_secs")


@dataclass(slots=True)
class Focus:
    """A session in front of an allowed window, and clocks to move."""

    daemon: Daemon
    clocks: Clocks

    async def state(self) -> State:
        return await self.daemon.request("state")

    async def end(self) -> list[tuple[int, float, float, str]]:
        """Complete the session; return its intervals: number, beginning, length and kind."""
        await self.daemon.request("complete")
        await self.daemon.request("review")
        file = self.daemon.home.state_dir / "history.sqlite3"
        await wait_until(lambda: bool(contents_if_any(file)["reviews"]))
        assert await self.daemon.terminate() == 0
        return [
            (row["number"], row["began"], row["secs"], row["bucket"])
            for row in contents(file)["intervals"]
        ]


@asynccontextmanager
async def open_focus(
    shim: Path,
    directory: Path,
    *,
    timebox_secs: int = 1500,
    program: Sequence[str] = PROGRAM,
    env: dict[str, str] | None = None,
) -> AsyncIterator[Focus]:
    sensor = f"replay:{_record(directory)}"
    async with open_shifted(
        shim, directory, sensor=sensor, program=program, env=env or {}
    ) as opened:
        daemon, clocks = opened
        await daemon.request(
            "start",
            next_action="write",
            timebox_secs=timebox_secs,
            allowed_window_classes=["editor"],
        )
        await daemon.wait_state(lambda state: state["drift"]["status"] == "ontask")
        yield Focus(daemon, clocks)


def _record(directory: Path) -> Path:
    directory.mkdir(exist_ok=True)
    recording = directory / "day.jsonl"
    recording.write_text(json.dumps({"at": 0, "class": "Editor", "title": "draft"}) + "\n")
    return recording


def counted(state: State, name: str = "ontask_secs") -> float:
    return float(state["evidence"][name])


def grown(before: State, after: State) -> dict[str, float]:
    return {name: counted(after, name) - counted(before, name) for name in NAMES}


def look_at_intervals(found: Findings, intervals: list[tuple[int, float, float, str]]) -> None:
    found.look("no interval", is_right=bool(intervals))
    for number, _, secs, _ in intervals:
        found.look(f"interval {number} takes {secs} s", is_right=0 <= secs < 2 * DAY_SECS)


async def heard(daemon: Daemon) -> list[State]:
    """Return the states that are told within a second."""
    told = []
    with trio.move_on_after(1):
        async with daemon.watch() as states:
            while True:
                told.append(await anext(states))
    return told


def rises(before: State, after: State) -> bool:
    return bool(after["revision"] >= before["revision"])

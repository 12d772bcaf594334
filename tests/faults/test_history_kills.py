"""kill -9 between the history and the snapshot: each session is remembered once, none is lost."""

import random
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import trio

from antidriftd.adapters.store.snapshot import FileSnapshotStore
from antidriftd.core.state import Active
from tests.adapters.store.histories import Contents, contents_if_any
from tests.clients import PATIENCE_SECS, Gone
from tests.daemons import Daemon, open_daemon

CYCLES = 12
LONGEST_LIFE_SECS = 1.0

_KILLS_ITSELF = """
import os, sys, trio
from antidriftd.__main__ import main
from antidriftd.adapters.store.history import SqliteHistoryStore
from antidriftd.adapters.store.snapshot import FileSnapshotStore

steps_left = int(os.environ["KILL_AT"])

def step():
    global steps_left
    steps_left -= 1
    if steps_left == 0:
        os.kill(os.getpid(), 9)

def step_around(store, name):
    call = getattr(store, name)
    async def stepping(self, what):
        step()
        result = await call(self, what)
        step()
        return result
    setattr(store, name, stepping)

{patch}
step_around(FileSnapshotStore, "save")
step_around(SqliteHistoryStore, "write")
main()
"""
_CONFIRMS_FIRST = """
write = SqliteHistoryStore.write

async def confirm_first(self, entries):
    trio.lowlevel.spawn_system_task(write_later, self, entries)
    return ""

async def write_later(self, entries):
    await trio.sleep(3600)
    await write(self, entries)

SqliteHistoryStore.write = confirm_first
"""
KILLS_ITSELF = (sys.executable, "-c", _KILLS_ITSELF.format(patch=""))
"""A daemon that kills itself before, or after, one of the calls of its two stores."""
CARELESS = (sys.executable, "-c", _KILLS_ITSELF.format(patch=_CONFIRMS_FIRST))
"""One that confirms what its history has yet to write."""


@dataclass(slots=True)
class Lives:
    """What was begun and acknowledged, and what was wrong with what is remembered of it."""

    begun: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def look(self, what: str, *, is_right: bool) -> None:
        """Note `what` is wrong, if it isn't right."""
        if not is_right:
            self.wrong.append(what)


def record_windows(directory: Path) -> str:
    """Return a sensor whose windows alternate, so that there are intervals."""
    recording = directory / "day.jsonl"
    lines = [
        f'{{"at": {at / 20}, "class": "{("code", "mpv")[at % 2]}", "title": ""}}\n'
        for at in range(2_000)
    ]
    recording.write_text("".join(lines))
    return f"replay:{recording}"


def history_of(daemon: Daemon) -> Contents:
    return contents_if_any(daemon.home.state_dir / "history.sqlite3")


def sessions_of(daemon: Daemon) -> list[dict[str, Any]]:
    return history_of(daemon)["sessions"]


# --- at every call ---------------------------------------------------------------------------


async def live(daemon: Daemon, name: str, lives: Lives) -> bool:
    """Have a session from its start to its review; return whether the daemon survived it."""
    try:
        await daemon.request("start", next_action=name)
        lives.begun.append(name)
        await daemon.wait_state(lambda state: state.get("evidence", {}).get("switches", 0) > 2)
        await daemon.request("complete")
        await daemon.request("review", outcome="done")
        await wait_reviewed(daemon, name)
        # The snapshot after that has it no more.
        await daemon.request("plan", intent="go on")
        await daemon.request("cancel")
    except (Gone, OSError, trio.BrokenResourceError):
        assert await daemon.wait() == -signal.SIGKILL
        return False
    return True


async def finish(daemon: Daemon, name: str) -> None:
    """End what a killed daemon left, and wait until the history has it."""
    runtime = (await daemon.request("state"))["runtime"]
    if runtime == "planning":
        await daemon.request("cancel")
    if runtime == "active":
        await daemon.request("complete")
    if runtime in {"active", "review"}:
        await daemon.request("review", outcome="done")
        await wait_reviewed(daemon, name)


async def wait_reviewed(daemon: Daemon, name: str) -> None:
    """Return once the history has a session whole.

    Raises:
        Gone: the daemon died meanwhile.
    """
    with trio.move_on_after(PATIENCE_SECS / 2):
        while True:
            if any(row["next_action"] == name and row["outcome"] for row in sessions_of(daemon)):
                return
            await daemon.request("state")
            await trio.sleep(0.05)


async def none_is_both(daemon: Daemon) -> bool:
    """Return whether what a dead daemon left has no session that both runs and is over."""
    loaded = await FileSnapshotStore(daemon.home.snapshot, lambda: 0.0).load()
    phase = loaded.saved.phase if loaded.saved else None
    running = phase.session.session_id if isinstance(phase, Active) else ""
    return running not in {row["session_id"] for row in sessions_of(daemon)}


async def kill_at_every_step(directory: Path, program: Sequence[str]) -> Lives:
    """Kill the daemon at each step of a session in turn, and return what came of it."""
    lives, step, survived = Lives(), 0, False
    sensor = record_windows(directory)
    while not survived and not lives.wrong:
        step += 1
        name = f"part {step}"
        env = {"KILL_AT": str(step)}
        async with open_daemon(directory, sensor=sensor, env=env, program=program) as daemon:
            survived = await live(daemon, name, lives)
        lives.look(f"both at {step}", is_right=await none_is_both(daemon))
        async with open_daemon(directory) as daemon:
            await finish(daemon, name)
            await daemon.terminate()
            found = [row["next_action"] for row in sessions_of(daemon)]
            lives.look(f"lost at {step}", is_right=set(lives.begun) <= set(found))
            lives.look(f"twice at {step}", is_right=len(found) == len(set(found)))
    lives.look("the totals", is_right=not wrong_totals(history_of(daemon)))
    return lives


def wrong_totals(history: Contents) -> list[str]:
    """Return the sessions whose intervals don't add up to what their review said."""
    wrong = []
    for session in history["sessions"]:
        own = [row for row in history["intervals"] if row["session_id"] == session["session_id"]]
        is_right = [row["number"] for row in own] == list(range(1, len(own) + 1))
        for bucket in ("ontask", "drift", "unjudged", "away"):
            secs = sum(row["secs"] for row in own if row["bucket"] == bucket)
            is_right &= secs == pytest.approx(session[f"{bucket}_secs"], abs=1e-3)
        is_right &= sum(row["switches"] for row in own) == session["switches"]
        if not is_right:
            wrong.append(session["next_action"])
    return wrong


@pytest.mark.timeout(600)
@pytest.mark.fault("F15", "killed between history and snapshot")
async def test_killed_at_every_call_of_its_stores_each_session_is_there_once(
    tmp_path: Path,
) -> None:
    lives = await kill_at_every_step(tmp_path, KILLS_ITSELF)
    print(f"{len(lives.begun)} sessions begun")

    assert lives.wrong == []
    assert len(lives.begun) > 8


@pytest.mark.timeout(600)
@pytest.mark.fault("F15", "killed between history and snapshot", is_control=True)
async def test_a_daemon_that_confirms_before_it_commits_is_caught(tmp_path: Path) -> None:
    lives = await kill_at_every_step(tmp_path, CARELESS)

    assert any(what.startswith("lost") for what in lives.wrong)


# --- at any moment ---------------------------------------------------------------------------


@pytest.mark.timeout(300)
@pytest.mark.fault("F1", "killed at any moment")
async def test_killed_at_random_moments_a_session_still_adds_up(tmp_path: Path) -> None:
    rng = random.Random(20_261_130)  # noqa: S311  # the same moments in every run
    async with open_daemon(tmp_path, sensor=record_windows(tmp_path)) as daemon:
        await daemon.request("start", next_action="write", allowed_window_classes=["code"])
        for _ in range(CYCLES):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(extend_until_gone, daemon)
                await trio.sleep(rng.uniform(0.1, LONGEST_LIFE_SECS))
                await daemon.kill()
            assert await none_is_both(daemon)
            await daemon.start()
        evidence = (await daemon.request("complete"))["evidence"]
        await daemon.request("review", outcome="done")
        await wait_reviewed(daemon, "write")
        history = history_of(daemon)

    (session,) = history["sessions"]
    assert wrong_totals(history) == []
    assert len(history["intervals"]) > CYCLES
    told: Mapping[str, float] = {name: session[name] for name in evidence if name in session}
    assert told == pytest.approx({name: evidence[name] for name in told}, abs=1e-3)
    assert told.keys() >= {"ontask_secs", "drift_secs", "unjudged_secs", "away_secs", "switches"}


async def extend_until_gone(daemon: Daemon) -> None:
    """Give a command now and then, so that the snapshot is saved."""
    with suppress(Gone, OSError, trio.BrokenResourceError):
        while True:
            await daemon.request("extend", secs=1)
            await trio.sleep(0.05)

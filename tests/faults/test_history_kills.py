"""kill -9 between the history and the snapshot: each session is remembered once, none is lost."""

import random
import signal
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
from tests.daemons import Daemon
from tests.faults.forks import open_forked, open_forks

CYCLES = 12
LONGEST_LIFE_SECS = 1.0

KILLS_ITSELF = """
import trio
from antidriftd.adapters.store.history import SqliteHistoryStore
from antidriftd.adapters.store.snapshot import FileSnapshotStore

steps_taken = 0

def step():
    global steps_taken
    steps_taken += 1
    if str(steps_taken) == os.environ["KILL_AT"]:
        os.kill(os.getpid(), 9)

def step_around(store, name):
    call = getattr(store, name)
    async def stepping(self, what):
        step()
        result = await call(self, what)
        step()
        return result
    setattr(store, name, stepping)

step_around(FileSnapshotStore, "save")
step_around(SqliteHistoryStore, "write")
"""
"""A daemon that kills itself before, or after, one of the calls of its two stores."""
CARELESS = f"""
import trio
from antidriftd.adapters.store.history import SqliteHistoryStore
write = SqliteHistoryStore.write

async def confirm_first(self, entries):
    trio.lowlevel.spawn_system_task(write_later, self, entries)
    return ""

async def write_later(self, entries):
    await trio.sleep(3600)
    await write(self, entries)

SqliteHistoryStore.write = confirm_first
{KILLS_ITSELF}
"""
"""One that confirms what its history has yet to write."""


@dataclass(slots=True)
class Lives:
    """What was begun and acknowledged, and what was wrong with what is remembered of it."""

    begun: list[str] = field(default_factory=list)
    left_running: int = 0
    """How often one was left to go on, beside others that were over."""
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


async def live(daemon: Daemon, name: str, lives: Lives, secs: float) -> bool:
    """Have a session from its start to its review; return whether the daemon survived it."""
    try:
        await daemon.request("start", next_action=name)
        lives.begun.append(name)
        await daemon.wait_state(lambda state: state.get("evidence", {}).get("switches", 0) > 2)
        await daemon.request("complete")
        await daemon.request("review", outcome="done")
        await wait_reviewed(daemon, name, secs)
        # The snapshot after that has it no more.
        await daemon.request("plan", intent="go on")
        await daemon.request("cancel")
    except (Gone, OSError, trio.BrokenResourceError):
        assert await daemon.wait() == -signal.SIGKILL
        return False
    return True


async def finish(daemon: Daemon, name: str, secs: float) -> None:
    """End what a killed daemon left, and wait until the history has it."""
    runtime = (await daemon.request("state"))["runtime"]
    if runtime == "planning":
        await daemon.request("cancel")
    if runtime == "active":
        await daemon.request("complete")
    if runtime in {"active", "review"}:
        await daemon.request("review", outcome="done")
        await wait_reviewed(daemon, name, secs)


async def wait_reviewed(daemon: Daemon, name: str, secs: float) -> None:
    """Return once the history has a session whole, or after so long.

    Raises:
        Gone: the daemon died meanwhile.
    """
    with trio.move_on_after(secs):
        while True:
            if any(row["next_action"] == name and row["outcome"] for row in sessions_of(daemon)):
                return
            await daemon.request("state")
            await trio.sleep(0.05)


async def running_session(daemon: Daemon) -> str:
    """Return the session that runs by what a dead daemon left; empty when none does."""
    loaded = await FileSnapshotStore(daemon.home.snapshot, lambda: 0.0).load()
    phase = loaded.saved.phase if loaded.saved else None
    return phase.session.session_id if isinstance(phase, Active) else ""


async def kill_at_every_step(directory: Path, patch: str, secs: float) -> Lives:
    """Kill the daemon at each step of a session in turn, and return what came of it.

    The history is given so many seconds to have what it is owed.
    """
    lives, step, survived = Lives(), 0, False
    sensor = record_windows(directory)
    with open_forks(patch) as forks:
        while not survived and not lives.wrong:
            step += 1
            name, env = f"part {step}", {"KILL_AT": str(step)}
            async with open_forked(forks, directory, sensor=sensor, env=env) as daemon:
                survived = await live(daemon, name, lives, secs)
            running, over = await running_session(daemon), sessions_of(daemon)
            lives.left_running += bool(running and over)
            is_both = running in {row["session_id"] for row in over}
            lives.look(f"both at {step}", is_right=not is_both)
            async with open_forked(forks, directory, env={"KILL_AT": "never"}) as daemon:
                await finish(daemon, name, secs)
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
    lives = await kill_at_every_step(tmp_path, KILLS_ITSELF, PATIENCE_SECS)

    assert lives.wrong == []
    assert len(lives.begun) > 8
    assert lives.left_running


@pytest.mark.timeout(600)
@pytest.mark.fault("F15", "killed between history and snapshot", is_control=True)
async def test_a_daemon_that_confirms_before_it_commits_is_caught(tmp_path: Path) -> None:
    lives = await kill_at_every_step(tmp_path, CARELESS, 2)

    assert any(what.startswith("lost") for what in lives.wrong)


# --- at any moment ---------------------------------------------------------------------------


@pytest.mark.timeout(300)
@pytest.mark.fault("F1", "killed at any moment")
async def test_killed_at_random_moments_a_session_still_adds_up(tmp_path: Path) -> None:
    with open_forks() as forks:
        async with open_forked(forks, tmp_path, sensor=record_windows(tmp_path)) as daemon:
            evidence = await kill_again_and_again(daemon)
            history = history_of(daemon)

    (session,) = history["sessions"]
    assert wrong_totals(history) == []
    assert len(history["intervals"]) > CYCLES
    told = {name: session[name] for name in evidence if name in session}
    assert told == pytest.approx({name: evidence[name] for name in told}, abs=1e-3)
    assert told.keys() >= {"ontask_secs", "drift_secs", "unjudged_secs", "away_secs", "switches"}


async def kill_again_and_again(daemon: Daemon) -> dict[str, Any]:
    """Have one session in many lives, and return how it added up in the last."""
    rng = random.Random(20_261_130)  # noqa: S311  # the same moments in every run
    await daemon.request("start", next_action="write", allowed_window_classes=["code"])
    for _ in range(CYCLES):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(extend_until_gone, daemon)
            await trio.sleep(rng.uniform(0.1, LONGEST_LIFE_SECS))
            await daemon.kill()
        assert await running_session(daemon)
        await daemon.start()
    evidence: dict[str, Any] = (await daemon.request("complete"))["evidence"]
    await daemon.request("review", outcome="done")
    await wait_reviewed(daemon, "write", PATIENCE_SECS)
    return evidence


async def extend_until_gone(daemon: Daemon) -> None:
    """Give a command now and then, so that the snapshot is saved."""
    with suppress(Gone, OSError, trio.BrokenResourceError):
        while True:
            await daemon.request("extend", secs=1)
            await trio.sleep(0.05)

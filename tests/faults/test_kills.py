"""kill -9 at random moments: nothing that was acknowledged is lost, and it is soon ready again."""

import itertools
import os
import random
import signal
import statistics
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.store.snapshot import FileSnapshotStore
from tests.adapters.store.histories import contents
from tests.clients import PATIENCE_SECS, Client, Gone, State
from tests.daemons import Daemon
from tests.faults.forks import open_forked, open_forks
from tests.faults.table import Fault, Tell, control
from tests.waiting import wait_until

CLIENTS = 4
CYCLES = 100
SEEDS = (20_240_531, 20_261_130)
"""Each has as many cycles, at the same moments in every run."""
ACKNOWLEDGED_EACH = 10
LONGEST_WAIT_SECS = 0.05
"""A kill comes so long after the last of those, at most, or after a start or a stop has begun."""
TITLES_EACH = 40
"""A session holds 200 allowances."""
READY_WITHIN_SECS = 2.0
SLOW_MACHINE = 5.0
"""A machine that is busy with other things may take so many times as long."""

KILLED = "killed at any moment"
LEFT = "what a killed one left: socket, lock, temporary file"

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)

ANSWERS_FIRST = """
import trio
from antidriftd.adapters.store.snapshot import FileSnapshotStore

save = FileSnapshotStore.save
latest = None

async def answer_first(self, saved):
    global latest
    latest = saved
    trio.lowlevel.spawn_system_task(save_later, self)

async def save_later(self):
    await trio.sleep(0.2)
    await save(self, latest)

FileSnapshotStore.save = answer_first
"""
"""A daemon that acknowledges what it has yet to save."""

LEAVES_THE_LOCK = """
import time
from antidriftd.runtime import ownership

hold_lock = ownership.hold_lock

def hold_and_share(path, description):
    lock = hold_lock(path, description)
    if not os.fork():
        time.sleep(3600)
    return lock

bootstrap.hold_lock = hold_and_share
"""
"""A daemon that starts a program which has the lock too, and outlives it."""


@dataclass(slots=True)
class Ledger:
    """What clients were told is on disk since the last check, and what became of it."""

    titles: set[str] = field(default_factory=set)
    ends_at: datetime = LONG_AGO
    revision: int = 0
    count: int = 0
    lost: list[str] = field(default_factory=list)
    ready_secs: list[float] = field(default_factory=list)

    def note(self, state: State) -> None:
        """Note a state that was acknowledged as durable."""
        assert state["durable"]
        self.titles |= titles(state)
        self.ends_at = max(self.ends_at, ends_at(state))
        self.revision = max(self.revision, state["revision"])
        self.count += 1

    def compare(self, state: State) -> None:
        """Note what is missing in the state that a daemon came back with."""
        assert state["revision"] > self.revision
        if "commitment" not in state:
            self.lost.append("the session")
            return
        self.lost += self.titles - titles(state)
        if ends_at(state) < self.ends_at - timedelta(seconds=0.5):  # an extension is one second
            self.lost.append("an extension")


def titles(state: State) -> set[str]:
    return set(state["commitment"]["allowed_window_titles"])


def ends_at(state: State) -> datetime:
    return datetime.fromisoformat(state["commitment"]["ends_at"])


async def command(client: Client, name: str, ledger: Ledger) -> None:
    """Have one client allow titles and add time until the daemon is gone.

    Nothing ever takes that back, so that whatever was acknowledged must be there later.
    """
    for number in itertools.count():
        try:
            if number % 2 or number > 2 * TITLES_EACH:
                state = await client.request("extend", secs=1)
            else:
                state = await client.request("ontask", window_title=f"{name} {number}")
        except (Gone, trio.BrokenResourceError):
            return
        ledger.note(state)


async def live(daemon: Daemon, rng: random.Random, ledger: Ledger) -> None:
    """Have clients command the daemon, and kill it at some moment."""
    enough = ledger.count + ACKNOWLEDGED_EACH
    async with trio.open_nursery() as nursery:

        async def talk(name: str) -> None:
            # The last ones may come when it has just been killed.
            with suppress(OSError):
                async with daemon.connect() as client:
                    await command(client, name, ledger)

        for number in range(CLIENTS):
            nursery.start_soon(talk, f"client {number}")
        await wait_until(lambda: ledger.count >= enough)
        await trio.sleep(rng.uniform(0, LONGEST_WAIT_SECS))
        await daemon.kill()


async def kill_in_between(daemon: Daemon, rng: random.Random, cycle: int) -> None:
    """One that is killed while it starts or stops must harm nothing either."""
    if cycle % 5 == 3:
        await daemon.launch()
        await trio.sleep(rng.uniform(0, 5 * LONGEST_WAIT_SECS))  # it takes so long to be ready
        await daemon.kill()
    if cycle % 5 == 4:
        await daemon.start()
        assert daemon.process
        daemon.process.send_signal(signal.SIGTERM)
        await trio.sleep(rng.uniform(0, LONGEST_WAIT_SECS))
        await daemon.kill()


async def start_session(daemon: Daemon, ledger: Ledger, name: str) -> None:
    """End the session, if there is one, and start another."""
    if (await daemon.request("state"))["runtime"] == "active":
        await daemon.request("complete")
        await daemon.request("review", outcome="done")
    ledger.titles.clear()
    ledger.ends_at = LONG_AGO
    ledger.note(await daemon.request("start", next_action=name))


async def kill_again_and_again(daemon: Daemon, seed: int, cycles: int) -> Ledger:
    """Start a daemon `cycles` times, kill it each time, and return what came of it."""
    rng = random.Random(seed)  # noqa: S311  # the same moments in every run
    ledger = Ledger()
    store = FileSnapshotStore(daemon.home.snapshot, lambda: 0.0)
    for cycle in range(cycles):
        await start_session(daemon, ledger, f"session {cycle}")
        await live(daemon, rng, ledger)
        await kill_in_between(daemon, rng, cycle)
        # What the dead daemon left can be read, whenever it was killed.
        if trouble := (await store.load()).trouble:
            ledger.lost.append(trouble)
        begun = trio.current_time()
        await daemon.start()
        ledger.ready_secs.append(trio.current_time() - begun)
        ledger.compare(await daemon.request("state"))
    return ledger


async def missing_in_history(daemon: Daemon, cycles: int) -> list[str]:
    """Return which of the sessions that are over the history lacks, half has or has twice."""
    path = daemon.home.state_dir / "history.sqlite3"
    wanted = sorted(f"session {cycle}" for cycle in range(cycles - 1))
    found: list[str] = []
    with trio.move_on_after(PATIENCE_SECS):
        while True:
            rows = contents(path)["sessions"]
            found = sorted(row["next_action"] for row in rows if row["outcome"] == "done")
            if found == wanted == sorted(row["next_action"] for row in rows):
                return []
            await trio.sleep(0.1)
    return sorted({*found} ^ {*wanted}) or ["one is there twice"]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
async def test_no_acknowledged_command_is_lost_in_100_kills(
    tmp_path: Path, seed: int, tell_fault: Tell
) -> None:
    with open_forks() as forks:
        async with open_forked(forks, tmp_path) as daemon:
            ledger = await kill_again_and_again(daemon, seed, CYCLES)
            missing = await missing_in_history(daemon, CYCLES)
    ready = sorted(ledger.ready_secs)
    figures = {
        "acknowledged": ledger.count,
        "ready p50": f"{statistics.median(ready):.3f} s",
        "ready p99": f"{ready[-2]:.3f} s",
        "ready max": f"{ready[-1]:.3f} s",
    }
    print(f"{CYCLES} kills: {figures}")
    tell_fault(Fault("F1", KILLED, CYCLES, len(ledger.lost) + len(missing)))
    tell_fault(Fault("F13", LEFT, CYCLES, 0))

    assert ledger.lost == []
    assert missing == []
    assert ledger.count >= ACKNOWLEDGED_EACH * CYCLES
    assert ready[-1] < READY_WITHIN_SECS * SLOW_MACHINE
    assert statistics.median(ready) < READY_WITHIN_SECS


async def test_a_daemon_that_answers_before_it_saves_is_caught(
    tmp_path: Path, tell_fault: Tell
) -> None:
    with open_forks(ANSWERS_FIRST) as forks:
        async with open_forked(forks, tmp_path) as daemon:
            ledger = await kill_again_and_again(daemon, SEEDS[0], 4)
    is_caught = ledger.lost != []
    tell_fault(Fault("F1", KILLED, 0, 0, control(is_caught=is_caught)))

    assert is_caught


async def test_a_daemon_whose_lock_outlives_it_is_caught(tmp_path: Path, tell_fault: Tell) -> None:
    with open_forks(LEAVES_THE_LOCK) as forks:
        async with open_forked(forks, tmp_path) as daemon:
            await daemon.kill()
            group = daemon.pid
            await daemon.launch()
            is_caught = await daemon.wait() == 1
            os.killpg(group, signal.SIGKILL)
    found = control(is_caught=is_caught)
    tell_fault(Fault("F13", LEFT, 0, 0, found))

    assert is_caught

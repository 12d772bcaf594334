"""kill -9 at random moments: nothing that was acknowledged is lost, and it is soon ready again."""

import itertools
import random
import statistics
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trio

from antidriftd.adapters.store.snapshot import FileSnapshotStore
from tests.clients import Client, Gone, State
from tests.daemons import PROGRAM, Daemon, open_daemon

CLIENTS = 4
CYCLES = 100
LONGEST_LIFE_SECS = 0.25
LONGEST_START_SECS = 0.5
TITLES_EACH = 40
"""A session holds 200 allowances."""
READY_WITHIN_SECS = 2.0
SLOW_MACHINE = 5.0
"""A machine that is busy with other things may take so many times as long."""

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)

CARELESS = (
    sys.executable,
    "-c",
    """
import trio
from antidriftd.__main__ import main
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
main()
""",
)
"""A daemon that acknowledges what it has yet to save."""


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
    async with trio.open_nursery() as nursery:

        async def talk(name: str) -> None:
            # The last ones may come when it has just been killed.
            with suppress(OSError):
                async with daemon.connect() as client:
                    await command(client, name, ledger)

        for number in range(CLIENTS):
            nursery.start_soon(talk, f"client {number}")
        await trio.sleep(rng.uniform(0, LONGEST_LIFE_SECS))
        await daemon.kill()


async def start_session(daemon: Daemon, ledger: Ledger) -> None:
    """End the session, if there is one, and start another."""
    if (await daemon.request("state"))["runtime"] == "active":
        await daemon.request("complete")
        await daemon.request("review")
    ledger.titles.clear()
    ledger.ends_at = LONG_AGO
    ledger.note(await daemon.request("start", next_action="write"))


async def kill_again_and_again(
    directory: Path, cycles: int, program: Sequence[str] = PROGRAM
) -> Ledger:
    """Start a daemon `cycles` times, kill it each time, and return what came of it."""
    rng = random.Random(20_240_531)  # noqa: S311  # the same moments in every run
    ledger = Ledger()
    async with open_daemon(directory, program=program) as daemon:
        for cycle in range(cycles):
            await start_session(daemon, ledger)
            await live(daemon, rng, ledger)
            if cycle % 10 == 9:
                # One that is killed while it starts must harm nothing either.
                await daemon.launch()
                await trio.sleep(rng.uniform(0, LONGEST_START_SECS))
                await daemon.kill()
            # What the dead daemon left can be read, whenever it was killed.
            store = FileSnapshotStore(daemon.home.snapshot, lambda: 0.0)
            assert (await store.load()).trouble == ""
            begun = trio.current_time()
            await daemon.start()
            ledger.ready_secs.append(trio.current_time() - begun)
            ledger.compare(await daemon.request("state"))
    return ledger


@pytest.mark.timeout(600)
async def test_no_acknowledged_command_is_lost_in_100_kills(tmp_path: Path) -> None:
    ledger = await kill_again_and_again(tmp_path, CYCLES)
    ready = sorted(ledger.ready_secs)
    figures = {
        "acknowledged": ledger.count,
        "ready p50": f"{statistics.median(ready):.3f} s",
        "ready p99": f"{ready[-2]:.3f} s",
        "ready max": f"{ready[-1]:.3f} s",
    }
    print(f"{CYCLES} kills: {figures}")

    assert ledger.lost == []
    assert ledger.count > 3 * CYCLES
    assert ready[-1] < READY_WITHIN_SECS * SLOW_MACHINE
    assert statistics.median(ready) < READY_WITHIN_SECS


async def test_a_daemon_that_answers_before_it_saves_is_caught(tmp_path: Path) -> None:
    ledger = await kill_again_and_again(tmp_path, 4, CARELESS)

    assert ledger.lost != []

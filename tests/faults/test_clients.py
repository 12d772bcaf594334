"""Clients in great numbers, one with a bad frame, and some that die while they are served."""

from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path

import trio

from tests.clients import Client, Gone, Refused, State
from tests.daemons import Daemon, make_home, open_daemon
from tests.faults.findings import Findings
from tests.faults.forks import open_forked, open_forks
from tests.faults.table import Fault, Tell, control
from tests.processes import open_files, rss_kib
from tests.waiting import wait_until

HELD = 1_000
SERVED = 64
MOST_KIB = 64 * 1024
P99_SECS = 0.05
SLOW_MACHINE = 10.0
"""A machine that is busy with other things may take so many times as long."""
CROWD = "a thousand connections held"

NEIGHBOURS = 99
BAD_FRAME = "one of a hundred sends a bad frame"
RUDE = b'{"jsonrpc":"2.0","id":1,"method":"state","params":{"\\ud800":[[[\n'

KILLS = 500
ADDED_SECS = 60
EXTEND = b'{"jsonrpc":"2.0","id":1,"method":"extend","params":{"secs":%d}}\n' % ADDED_SECS
DYING = "a client dies while its command is carried out"


# --- very many -------------------------------------------------------------------------------


async def hold_connections(daemon: Daemon) -> Findings:
    """Hold far more connections than are served, and see how those fare that are."""
    found = Findings()
    waits: list[float] = []
    await daemon.request("state")  # by then it has all that it opens for itself
    before = open_files(daemon.pid)
    async with AsyncExitStack() as stack:
        served = [await stack.enter_async_context(daemon.connect()) for _ in range(SERVED)]
        for client in served:
            await client.request("state")
        for number in range(HELD - SERVED):
            extra = await stack.enter_async_context(daemon.connect())
            found.look("one more is served", is_right=await is_turned_away(extra))
            if number % 10 == 0:
                begun = trio.current_time()
                await served[number % SERVED].request("state")
                waits.append(trio.current_time() - begun)
        memory = rss_kib(daemon.pid)
        found.look(f"{memory} KiB", is_right=memory <= MOST_KIB)
    slowest = sorted(waits)[-2]
    found.look(f"{slowest} s", is_right=slowest < P99_SECS * SLOW_MACHINE)
    await wait_until(lambda: open_files(daemon.pid) <= before)
    return found


async def is_turned_away(client: Client) -> bool:
    with trio.move_on_after(5):
        try:
            await client.request("state")
        except Refused as refused:
            return refused.kind == "too_busy"
    return False


async def test_a_thousand_connections_cost_those_that_are_served_nothing(
    tmp_path: Path, tell_fault: Tell
) -> None:
    async with open_daemon(tmp_path) as daemon:
        found = await hold_connections(daemon)
    tell_fault(Fault("F16", CROWD, HELD, len(found.wrong)))

    assert found.wrong == []


async def test_a_daemon_that_serves_everybody_is_caught(tmp_path: Path, tell_fault: Tell) -> None:
    async with open_daemon(tmp_path, config="[limits]\nconnections = 4096\n") as daemon:
        found = await hold_connections(daemon)
    is_caught = "one more is served" in found.wrong
    tell_fault(Fault("F16", CROWD, 0, 0, control(is_caught=is_caught)))

    assert is_caught


# --- one that is rude ------------------------------------------------------------------------

BREAKS_AT_A_BAD_FRAME = """
from antidriftd.rpc import connection

def decode_or_die(line):
    if b"ud800" in line:
        os.abort()
    return decode(line)

decode = connection.jsonrpc.decode
connection.jsonrpc.decode = decode_or_die
"""
"""A daemon that one client can end."""


async def be_rude(directory: Path, patch: str = "") -> Findings:
    """Have one of a hundred clients send what it may not."""
    found = Findings()
    config = make_home(directory, config="[limits]\nconnections = 128\n").config
    env = {"ANTIDRIFT_CONFIG": str(config)}
    with open_forks(patch) as forks:
        async with open_forked(forks, directory, env=env) as daemon, AsyncExitStack() as stack:
            rude, *others = [
                await stack.enter_async_context(daemon.connect()) for _ in range(NEIGHBOURS + 1)
            ]
            await rude.send(RUDE)
            for client in others:
                found.runs += 1
                found.look("one is not served", is_right=await is_served(client))
    return found


async def is_served(client: Client) -> bool:
    try:
        return bool((await client.request("state"))["runtime"] == "idle")
    except (Gone, trio.BrokenResourceError):
        return False


async def test_a_bad_frame_is_its_senders_own_affair(tmp_path: Path, tell_fault: Tell) -> None:
    found = await be_rude(tmp_path)
    tell_fault(Fault("F22", BAD_FRAME, found.runs, len(found.wrong)))

    assert found.wrong == []
    assert found.runs == NEIGHBOURS


async def test_a_daemon_that_ends_at_a_bad_frame_is_caught(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await be_rude(tmp_path, BREAKS_AT_A_BAD_FRAME)
    is_caught = found.wrong != []
    tell_fault(Fault("F22", BAD_FRAME, 0, 0, control(is_caught=is_caught)))

    assert is_caught


# --- some that die ---------------------------------------------------------------------------

DOES_HALF = """
from antidriftd.core import commands
from antidriftd.runtime.engine import Engine

execute = Engine.execute
count = 0

async def half(self, command):
    global count
    if type(command).__name__ == "ExtendSession":
        count += 1
        if count == 7:
            command = commands.ExtendSession(command.secs // 2)
    return await execute(self, command)

Engine.execute = half
"""
"""A daemon that does half of a command."""


async def die_while_served(directory: Path, kills: int, patch: str = "") -> Findings:
    """Close a connection at once after a command, again and again, and look what it came to."""
    found = Findings()
    # Who died has a place until what it asked for is done.
    config = "[limits]\nconnections = 1000\n"
    with open_forks(patch) as forks:
        async with open_forked(forks, directory, config=config) as daemon:
            before = ends_at(await daemon.request("start", next_action="write"))
            for number in range(kills):
                async with daemon.connect() as client:
                    await client.send(EXTEND)
                    if number % 2:
                        await trio.lowlevel.checkpoint()
                found.runs += 1
            state = await daemon.request("extend", secs=ADDED_SECS)
            count, rest = divmod((ends_at(state) - before).total_seconds(), ADDED_SECS)
            found.look(f"{rest} s are half a command", is_right=round(rest, 3) == 0)
            found.look(f"{count} of {kills}", is_right=1 <= count <= kills + 1)
            await daemon.kill()
            await daemon.start()
            kept = ends_at(await daemon.request("state"))
            found.look("it is not kept", is_right=abs((kept - ends_at(state)).total_seconds()) < 1)
    return found


def ends_at(state: State) -> datetime:
    return datetime.fromisoformat(state["commitment"]["ends_at"])


async def test_a_command_whose_client_dies_is_done_wholly_or_not_at_all(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await die_while_served(tmp_path, KILLS)
    tell_fault(Fault("F24", DYING, found.runs, len(found.wrong)))

    assert found.wrong == []


async def test_a_daemon_that_does_half_of_a_command_is_caught(
    tmp_path: Path, tell_fault: Tell
) -> None:
    found = await die_while_served(tmp_path, 10, DOES_HALF)
    is_caught = any("half a command" in what for what in found.wrong)
    tell_fault(Fault("F24", DYING, 0, 0, control(is_caught=is_caught)))

    assert is_caught

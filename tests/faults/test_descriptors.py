"""No file descriptor is left: clients wait, nothing spins, and all goes on when some are back."""

import resource
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio

from tests.clients import Gone
from tests.daemons import open_daemon
from tests.faults.forks import open_forked, open_forks
from tests.processes import cpu_secs, open_files
from tests.waiting import wait_until


@pytest.mark.fault("F23", "no descriptor is left")
async def test_without_descriptors_it_neither_spins_nor_floods_the_log(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon, daemon.connect() as early:
        await early.request("plan", intent="read")
        before = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
        few = open_files(daemon.pid) + 3
        resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (few, before[1]))
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(daemon.connect()) for _ in range(20)]
            computed = cpu_secs(daemon.pid)
            await trio.sleep(3)
            assert cpu_secs(daemon.pid) - computed < 1
            assert daemon.log.count("no client can be accepted") == 1
            # Who is connected is served, although nothing can be opened, the snapshot included.
            state = await early.request("plan", intent="write")
            assert (state["intent"], state["durable"]) == ("write", False)

            resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, before)
            with trio.fail_after(20):
                for client in clients:
                    assert (await client.request("state"))["intent"] == "write"
        assert (await daemon.wait_state(lambda state: bool(state["durable"])))["intent"] == "write"


@pytest.mark.fault("F23", "no descriptor is left")
async def test_descriptors_come_back_whatever_clients_do(tmp_path: Path) -> None:
    async with open_daemon(tmp_path) as daemon:
        await daemon.request("state")
        before = open_files(daemon.pid)
        for _ in range(5):
            async with AsyncExitStack() as stack:
                clients = [await stack.enter_async_context(daemon.connect()) for _ in range(60)]
                for number, client in enumerate(clients):
                    match number % 4:
                        case 0:
                            await client.request("watch")
                        case 1:
                            await client.send(b'{"jsonrpc"')
                        case 2:
                            await client.send(b"x" * 100_000)
                        case _:
                            await client.end_sending()
        with trio.fail_after(20):
            while True:
                try:
                    await daemon.request("state")
                except Gone:
                    continue
                if open_files(daemon.pid) <= before + 1:
                    break
                await trio.sleep(0.02)


SPINS = """
from antidriftd.rpc import listener
listener._PAUSE_SECS = 0
"""
"""A daemon that tries again at once."""


@pytest.mark.fault("F23", "no descriptor is left", is_control=True)
async def test_a_daemon_that_spins_is_caught(tmp_path: Path) -> None:
    with open_forks(SPINS) as forks:
        async with open_forked(forks, tmp_path) as daemon, AsyncExitStack() as stack:
            before = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
            few = open_files(daemon.pid) + 3
            resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (few, before[1]))
            for _ in range(20):
                await stack.enter_async_context(daemon.connect())
            computed = cpu_secs(daemon.pid)

            await wait_until(lambda: cpu_secs(daemon.pid) - computed > 1)

"""Of a client that is gone nothing is left in memory, however it went."""

import gc
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from antidriftd.rpc.connection import Connection
from tests.clients import Client
from tests.rpc.served import open_served

Goes: TypeAlias = Callable[[Client], Awaitable[None]]

LONG = b"[" * 60_000 + b"\n"


@pytest.fixture(autouse=True)
def _no_garbage_collector() -> Iterator[None]:
    """Only what nothing refers to is gone; what refers to itself stays, and is counted."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def connections() -> int:
    return sum(isinstance(each, Connection) for each in gc.get_objects())


async def resets(client: Client) -> None:
    """Close while the answer is unread, which resets the connection (tcp(7) does the same)."""
    await client.send(LONG)


async def sends_half(client: Client) -> None:
    await client.send(LONG[:-1])


async def sends_too_much(client: Client) -> None:
    await client.send(LONG * 2 + b"x" * 70_000)


async def reads_the_answer(client: Client) -> None:
    await client.send(LONG)
    await client.receive()


async def watches(client: Client) -> None:
    await client.request("watch")


@pytest.mark.parametrize("goes", [resets, sends_half, sends_too_much, reads_the_answer, watches])
async def test_what_a_client_sent_goes_with_it(tmp_path: Path, goes: Goes) -> None:
    async with open_served(tmp_path) as served:
        for _ in range(5):
            async with served.connect() as client:
                await goes(client)
            # Served, or not, the next one is let in after it.
            await served.request("state")
        await trio.sleep(0.05)
        await wait_all_tasks_blocked()

        assert connections() == 0

"""What an answer, a state and a watcher cost, in counts: tasks, wake-ups, sends, encodings."""

import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.core.state import State
from antidriftd.rpc import outbox, wire
from tests.rpc.served import Served, open_served

INFO = b'{"jsonrpc":"2.0","id":1,"method":"info"}\n'
WATCHERS = 50


class Tasks(trio.abc.Instrument):
    """Counts what tasks other than the test's do."""

    def __init__(self) -> None:
        self._test = trio.lowlevel.current_task()
        self.started = 0
        self.steps: Counter[str] = Counter()

    def task_spawned(self, task: trio.lowlevel.Task) -> None:
        self.started += 1

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        if task is not self._test:
            self.steps[task.name.rpartition(".")[2]] += 1


@contextmanager
def counting() -> Iterator[Tasks]:
    tasks = Tasks()
    trio.lowlevel.add_instrument(tasks)
    yield tasks
    trio.lowlevel.remove_instrument(tasks)


def connect(served: Served, stack: ExitStack) -> socket.socket:
    """Return a connection that needs no task of the test's."""
    sock = stack.enter_context(socket.socket(socket.AF_UNIX))
    sock.connect(str(served.socket))
    sock.setblocking(False)
    return sock


@pytest.mark.parametrize("clients", [1, 10])
async def test_requests_of_any_number_of_clients_wake_one_task_once(
    tmp_path: Path, clients: int
) -> None:
    async with open_served(tmp_path) as served:
        with ExitStack() as stack:
            socks = [connect(served, stack) for _ in range(clients)]
            await wait_all_tasks_blocked()
            with counting() as tasks:
                for sock in socks:
                    sock.send(INFO)
                await wait_all_tasks_blocked()

            assert all(sock.recv(65_536).endswith(b"\n") for sock in socks)
            assert (tasks.started, tasks.steps) == (0, {"run": 1})
        await wait_all_tasks_blocked()


async def test_a_request_that_changes_something_has_a_task_that_ends_with_it(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.request("info")
        before = trio.lowlevel.current_statistics().tasks_living
        with counting() as tasks:
            await client.request("plan", intent="read")
        await wait_all_tasks_blocked()

        assert tasks.steps["_serve_rest"] > 0
        assert trio.lowlevel.current_statistics().tasks_living == before


async def test_a_watcher_at_rest_has_no_task(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, AsyncExitStack() as stack:
        before = trio.lowlevel.current_statistics().tasks_living
        for _ in range(WATCHERS):
            client = await stack.enter_async_context(served.connect())
            await client.request("watch")
        await wait_all_tasks_blocked()

        assert trio.lowlevel.current_statistics().tasks_living == before


async def test_a_state_is_encoded_once_and_sent_once_to_each_watcher(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[int] = []

    def encode(state: State, real: Any = wire.encode_state) -> bytes:
        encoded.append(state.revision)
        frame: bytes = real(state)
        return frame

    monkeypatch.setattr(wire, "encode_state", encode)
    async with open_served(tmp_path) as served, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(served.connect()) for _ in range(WATCHERS)]
        for client in clients:
            await client.request("watch")
        await wait_all_tasks_blocked()
        sent = count_sends(monkeypatch)
        with counting() as tasks:
            served.sensor.focus("code", "main.py")
            await wait_all_tasks_blocked()

        assert (len(encoded), len(sent)) == (1, WATCHERS)
        assert len(set(sent)) == WATCHERS
        assert tasks.started == 0
        for client in clients:
            assert (await client.next_state())["window"]["title"] == "main.py"


async def test_a_reader_that_stops_costs_one_frame_one_state_and_one_task(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "STALLED_AFTER_SECS", 1e6)
    async with open_served(tmp_path) as served, served.connect() as stopped:
        await served.grow_state()
        await stopped.request("watch")
        await wait_all_tasks_blocked()
        before = trio.lowlevel.current_statistics().tasks_living
        while trio.lowlevel.current_statistics().tasks_living == before:
            served.sensor.focus("code", f"{trio.current_time()}")
            await trio.sleep(1)
        sent = count_sends(monkeypatch)
        for number in range(20):
            served.sensor.focus("code", f"{number}.py")
            await trio.sleep(1)

        assert sent == []
        assert trio.lowlevel.current_statistics().tasks_living == before + 1


async def test_who_only_looks_writes_nothing(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, served.connect() as client:
        await client.request("watch")
        written = served.store.begun
        for number in range(60):
            served.sensor.focus("code", f"{number}.py")
            await client.request("state")
            await trio.sleep(60)

        assert served.store.begun == written


def count_sends(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows with each send: the descriptors."""
    sent: list[int] = []

    def send(self: socket.socket, data: bytes, real: Any = socket.socket.send) -> int:
        sent.append(self.fileno())
        number: int = real(self, data)
        return number

    monkeypatch.setattr(socket.socket, "send", send, raising=False)
    return sent

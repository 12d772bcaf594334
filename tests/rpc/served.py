"""A daemon in the test's own process, on fakes: a real socket under a clock that can jump."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import trio
from trio.testing import wait_all_tasks_blocked

from antidriftd.adapters.store.port import Stores
from antidriftd.core.rules import Rules
from antidriftd.daemon import Daemon, Outside
from antidriftd.rpc.wire import About
from antidriftd.runtime.checkup import Look
from antidriftd.runtime.experience import PastAnswers
from antidriftd.runtime.requests import Sources
from antidriftd.runtime.systemd import ServiceManager
from tests.builders import BOOT_ID, NO_JUDGE, a_state
from tests.clients import Client, State, open_client
from tests.fakes.clock import TrioClock
from tests.fakes.history import FakeHistoryStore
from tests.fakes.hooks import FakeHooks
from tests.fakes.judge import FakeDriftJudge
from tests.fakes.labels import FakeLabelStore
from tests.fakes.notifier import FakeNotifier
from tests.fakes.nudger import FakeNudger
from tests.fakes.planning import FakeCoach, FakeKnowledgeSource, FakeTaskSource
from tests.fakes.presence import SilentPresenceWatcher
from tests.fakes.prompt_file import FakePromptFile
from tests.fakes.sensor import FakeWindowSensor
from tests.fakes.store import FakeSnapshotStore


@dataclass(frozen=True, slots=True)
class Served:
    """What is served, and all that it works on."""

    socket: Path
    store: FakeSnapshotStore
    judge: FakeDriftJudge
    sensor: FakeWindowSensor
    clock: TrioClock
    coach: FakeCoach = field(default_factory=FakeCoach)
    nudger: FakeNudger = field(default_factory=FakeNudger)
    tasks: FakeTaskSource = field(default_factory=FakeTaskSource)
    knowledge: FakeKnowledgeSource = field(default_factory=FakeKnowledgeSource)
    history: FakeHistoryStore = field(default_factory=FakeHistoryStore)
    labels: FakeLabelStore = field(default_factory=FakeLabelStore)
    notifier: FakeNotifier = field(default_factory=FakeNotifier)
    hooks: FakeHooks = field(default_factory=FakeHooks)
    prompt_file: FakePromptFile = field(default_factory=FakePromptFile)

    def think(self) -> None:
        """Have everybody think who may be asked in planning."""
        for fake in (self.coach, self.tasks, self.knowledge):
            fake.think()

    def connect(self) -> AbstractAsyncContextManager[Client]:
        """Return a connection, to be entered."""
        return open_client(self.socket)

    async def request(self, method: str, /, **params: Any) -> State:
        """Return the result of `method`, over a connection of its own."""
        async with self.connect() as client:
            return await client.request(method, **params)

    async def raw(self, data: bytes) -> bytes:
        """Send `data` and no more; return all that comes back."""
        async with self.connect() as client:
            with suppress(trio.BrokenResourceError):  # closed before all of it was sent
                await client.send(data)
                await client.end_sending()
            return await client.receive_rest()

    async def grow_state(self) -> int:
        """Start a session with a very long state; return how many bytes long it is at least."""
        titles = [f"{number:03}" + "é" * 1021 for number in range(200)]
        async with self.connect() as client:
            await client.request("start", next_action="read", allowed_window_titles=titles[:20])
            for title in titles[20:]:
                await client.request("ontask", window_title=title)
        await wait_all_tasks_blocked()
        return sum(len(title.encode()) for title in titles)


@asynccontextmanager
async def open_served(
    directory: Path,
    *,
    rules: Rules = NO_JUDGE,
    connections: int = 64,
    looks: Mapping[str, Look] | None = None,
    is_past_asked: bool = True,
) -> AsyncIterator[Served]:
    """Serve a new daemon in `directory` until the block ends."""
    served = Served(
        directory / "run" / "socket",
        FakeSnapshotStore(),
        FakeDriftJudge(),
        FakeWindowSensor(),
        TrioClock(),
    )
    about = About(
        socket=str(served.socket),
        state_dir=str(directory),
        sensor="fake",
        ai="fake",
        started=served.clock.now().utc,
        knowledge_path=served.knowledge.default_path if rules.has_knowledge else "",
    )
    outside = replace(
        _outside(served, about, connections, looks or {}, rules), is_past_asked=is_past_asked
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Daemon(outside, a_state(rules, now=served.clock.now())).run)
        await wait_all_tasks_blocked()
        yield served
        nursery.cancel_scope.cancel()


def _outside(
    served: Served, about: About, connections: int, looks: Mapping[str, Look], rules: Rules
) -> Outside:
    return Outside(
        stores=Stores(served.store, served.history),
        presence=SilentPresenceWatcher(),
        is_past_asked=True,
        past=PastAnswers(served.labels, lambda commitment: commitment.next_action, rules),
        sources=Sources(
            judge=served.judge,
            coach=served.coach,
            nudger=served.nudger,
            tasks=served.tasks,
            knowledge=served.knowledge,
        ),
        sensor=served.sensor,
        notifier=served.notifier,
        hooks=served.hooks,
        prompt_file=served.prompt_file,
        clock=served.clock,
        boot_id=BOOT_ID,
        manager=ServiceManager({}),
        about=about,
        connections=connections,
        looks=looks,
    )

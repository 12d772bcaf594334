"""The engine with its effects, on fakes and a clock that jumps."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import trio

from antidriftd.adapters.store.port import Stores
from antidriftd.core import events
from antidriftd.core.effects import Effect
from antidriftd.core.restore import Saved
from antidriftd.core.rules import Rules
from antidriftd.core.state import State
from antidriftd.runtime.effects import EffectRunner
from antidriftd.runtime.engine import Engine
from antidriftd.runtime.hooks import HookQueue
from antidriftd.runtime.requests import Requests, Sources
from antidriftd.runtime.timer import Timer
from tests.builders import BOOT_ID, NO_JUDGE, a_state
from tests.fakes.clock import TrioClock
from tests.fakes.history import FakeHistoryStore
from tests.fakes.hooks import FakeHooks
from tests.fakes.judge import FakeDriftJudge
from tests.fakes.notifier import FakeNotifier
from tests.fakes.sensor import FakeWindowSensor
from tests.fakes.store import FakeSnapshotStore


@dataclass(kw_only=True)
class EngineRoom:
    """An engine that runs, and all that it works on."""

    nursery: trio.Nursery = field(init=False)
    engine: Engine = field(init=False)
    store: FakeSnapshotStore
    judge: FakeDriftJudge
    sensor: FakeWindowSensor = field(default_factory=FakeWindowSensor)
    notifier: FakeNotifier = field(default_factory=FakeNotifier)
    hooks: FakeHooks = field(default_factory=FakeHooks)
    clock: TrioClock = field(default_factory=TrioClock)
    published: list[State] = field(default_factory=list)
    prompted: list[State] = field(default_factory=list)
    performed: list[Effect] = field(default_factory=list)

    @property
    def revisions(self) -> list[int]:
        """The revisions that were published, in order."""
        return [state.revision for state in self.published]

    async def start(self, *classes: str, timebox_secs: int = 1500) -> State:
        """Start a session; return the state that a client is answered with."""
        command = events.StartSession(
            session_id="session",
            next_action="write the report",
            timebox_secs=timebox_secs,
            allowed_window_classes=classes,
        )
        return await self.engine.execute(command)


def a_runner(
    requests: Requests | None = None,
    *,
    store: FakeSnapshotStore | None = None,
    history: FakeHistoryStore | None = None,
    sensor: FakeWindowSensor | None = None,
    notifier: FakeNotifier | None = None,
    hooks: HookQueue | None = None,
) -> EffectRunner:
    """Return what does effects, on fakes where nothing else is given."""
    return EffectRunner(
        stores=Stores(store or FakeSnapshotStore(), history or FakeHistoryStore()),
        sensor=sensor or FakeWindowSensor(),
        notifier=notifier or FakeNotifier(),
        hooks=hooks or HookQueue(FakeHooks(), lambda effect: b""),
        requests=requests or Requests(Sources()),
        boot_id=BOOT_ID,
    )


@asynccontextmanager
async def open_engine(
    rules: Rules = NO_JUDGE,
    *,
    judge: FakeDriftJudge | None = None,
    store: FakeSnapshotStore | None = None,
    sources: Sources | None = None,
    saved: Saved | None = None,
) -> AsyncIterator[EngineRoom]:
    """Start an engine with its timer and its effects; they end with the block.

    `sources` are all whom it asks beside `judge`.
    """
    room = EngineRoom(store=store or FakeSnapshotStore(), judge=judge or FakeDriftJudge())
    requests = Requests(replace(sources or Sources(), judge=room.judge))
    queue, timer = HookQueue(room.hooks, lambda effect: effect.hook.encode()), Timer()
    runner = a_runner(
        requests, store=room.store, sensor=room.sensor, notifier=room.notifier, hooks=queue
    )

    def perform(effect: Effect) -> None:
        room.performed.append(effect)
        runner.perform(effect)

    room.engine = engine = Engine(
        a_state(rules, now=room.clock.now(), saved=saved),
        clock=room.clock,
        timer=timer,
        perform=perform,
        publish=room.published.append,
        show_prompt=room.prompted.append,
    )
    async with trio.open_nursery() as room.nursery:
        room.nursery.start_soon(timer.run, lambda: engine.dispatch(events.TimeElapsed()))
        room.nursery.start_soon(runner.run, engine)
        room.nursery.start_soon(queue.run, engine.dispatch)
        yield room
        room.nursery.cancel_scope.cancel()

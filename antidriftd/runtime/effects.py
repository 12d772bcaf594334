"""Does what the core wants done; answers come back as events."""

import logging
import math

import trio

from antidriftd.adapters.notifications.port import Notifier
from antidriftd.adapters.store.port import StoreError, Stores
from antidriftd.adapters.windows.port import WindowSensor
from antidriftd.core.effects import (
    Effect,
    EndRequest,
    KeepEvidence,
    Request,
    RunHook,
    SaveSnapshot,
    ShowNotification,
    UseDisplay,
    WithdrawNotification,
    WriteHistory,
)
from antidriftd.core.events import HistoryFailed, HistoryWritten, SnapshotFailed, SnapshotSaved
from antidriftd.core.restore import Saved, saved_from
from antidriftd.runtime.engine import Engine
from antidriftd.runtime.hooks import HookQueue
from antidriftd.runtime.requests import Requests

_log = logging.getLogger(__name__)

SAVE_LIMIT_SECS = 4.5
"""A disk that takes longer has refused.

A command may wait for the save under way and then for its own; its client gives up at ten.
"""


class EffectRunner:
    """Schedules effects, and does them in the background once it runs."""

    def __init__(
        self,
        *,
        stores: Stores,
        sensor: WindowSensor,
        notifier: Notifier,
        hooks: HookQueue,
        requests: Requests,
        boot_id: str,
    ) -> None:
        self._stores = stores
        self._sensor = sensor
        self._notifier = notifier
        self._hooks = hooks
        self._requests = requests
        self._boot_id = boot_id
        self._send, self._receive = trio.open_memory_channel[Effect](math.inf)
        self._under_way: dict[int, trio.CancelScope] = {}
        self._save_wanted = trio.Event()
        self._on_disk: Saved | None = None
        """What the last save wrote; None when that is not known."""

    def perform(self, effect: Effect) -> None:
        """Schedule `effect`; returns at once."""
        self._send.send_nowait(effect)

    async def run(self, engine: Engine) -> None:
        """Do what was scheduled, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._save_when_wanted, engine)
            async for effect in self._receive:
                match effect:
                    case SaveSnapshot():
                        self._save_wanted.set()
                    case WriteHistory():
                        nursery.start_soon(self._write_history, engine, effect)
                    case EndRequest(request=request):
                        self._end(request)
                    case UseDisplay(display=display):
                        self._sensor.use_display(display)
                    case ShowNotification(notification=notification):
                        self._notifier.show(notification)
                    case WithdrawNotification():
                        self._notifier.withdraw()
                    case RunHook():
                        self._hooks.add(effect)
                    case KeepEvidence(step=step):
                        self._stores.keep_evidence(step)
                    case _:
                        scope = self._under_way[effect.request] = trio.CancelScope()
                        nursery.start_soon(self._serve, engine, effect, scope)

    def _end(self, request: int) -> None:
        scope = self._under_way.get(request)
        if scope is not None:
            scope.cancel()

    async def _serve(self, engine: Engine, request: Request, scope: trio.CancelScope) -> None:
        try:
            with scope:
                engine.dispatch(await self._requests.answer(request, engine.state.rules))
        finally:
            del self._under_way[request.request]

    async def _write_history(self, engine: Engine, effect: WriteHistory) -> None:
        event: HistoryWritten | HistoryFailed
        try:
            trouble = await self._stores.history.write(effect.entries)
            event = HistoryWritten(effect.entries[-1].number, trouble)
        except StoreError as error:
            _log.warning("the history is not written: %s", error)
            event = HistoryFailed(str(error))
        engine.dispatch(event)

    async def _save_when_wanted(self, engine: Engine) -> None:
        while True:
            await self._save_wanted.wait()
            self._save_wanted = trio.Event()
            await self.save(engine)

    async def save(self, engine: Engine) -> None:
        """Have the newest state on disk and tell the engine how it went."""
        revision, entries_to = engine.state.revision, engine.state.recording.next_number - 1
        event: SnapshotSaved | SnapshotFailed = SnapshotSaved(revision, entries_to)
        try:
            with trio.fail_after(SAVE_LIMIT_SECS):
                await self._write(saved_from(engine.state, self._boot_id))
        except StoreError as error:
            event = SnapshotFailed(revision, str(error))
        except trio.TooSlowError:
            detail = f"the disk did not answer in {SAVE_LIMIT_SECS:g} s"
            event = SnapshotFailed(revision, detail)
        if isinstance(event, SnapshotFailed):
            _log.warning("not saved: %s", event.detail)
        engine.dispatch(event)

    async def _write(self, saved: Saved) -> None:
        if saved == self._on_disk:
            return
        self._on_disk = None
        await self._stores.snapshot.save(saved)
        self._on_disk = saved

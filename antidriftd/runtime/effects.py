"""Does what the core wants done; answers come back as events."""

import logging
import math

import trio

from antidriftd.adapters.advisor.port import AdvisorError, DriftJudge
from antidriftd.adapters.store.port import SnapshotStore, StoreError
from antidriftd.adapters.windows.port import WindowSensor
from antidriftd.core.effects import AskJudge, Effect, EndJudgment, SaveSnapshot, UseDisplay
from antidriftd.core.events import JudgmentFailed, JudgmentReturned, SnapshotFailed, SnapshotSaved
from antidriftd.core.restore import saved_from
from antidriftd.runtime.engine import Engine

_log = logging.getLogger(__name__)

SAVE_LIMIT_SECS = 4.5
"""A disk that takes longer has refused.

A command may wait for the save under way and then for its own; its client gives up at ten.
"""


class EffectRunner:
    """Schedules effects, and does them in the background once it runs."""

    def __init__(
        self, *, store: SnapshotStore, judge: DriftJudge | None, sensor: WindowSensor, boot_id: str
    ) -> None:
        self._store = store
        self._judge = judge
        self._sensor = sensor
        self._boot_id = boot_id
        self._send, self._receive = trio.open_memory_channel[Effect](math.inf)
        self._judgments: dict[int, trio.CancelScope] = {}
        self._save_wanted = trio.Event()

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
                    case AskJudge():
                        scope = self._judgments[effect.question_id] = trio.CancelScope()
                        nursery.start_soon(self._ask_judge, engine, effect, scope)
                    case EndJudgment(question_id=question_id):
                        self._end_judgment(question_id)
                    case UseDisplay(display=display):
                        self._sensor.use_display(display)

    def _end_judgment(self, question_id: int) -> None:
        scope = self._judgments.get(question_id)
        if scope is not None:
            scope.cancel()

    async def _ask_judge(self, engine: Engine, asked: AskJudge, scope: trio.CancelScope) -> None:
        try:
            with scope:
                engine.dispatch(await self._judge_window(asked))
        finally:
            del self._judgments[asked.question_id]

    async def _judge_window(self, asked: AskJudge) -> JudgmentReturned | JudgmentFailed:
        if self._judge is None:
            return JudgmentFailed(asked.question_id, "there is no advisor")
        try:
            verdict = await self._judge.judge(asked.commitment, asked.window)
        except AdvisorError as error:
            # What a program printed may quote a title, so it is shown but not logged.
            _log.debug("no verdict: %s", error)
            return JudgmentFailed(asked.question_id, str(error))
        except Exception as error:
            _log.exception("the advisor failed")
            return JudgmentFailed(asked.question_id, f"{type(error).__name__}: {error}")
        return JudgmentReturned(asked.question_id, verdict)

    async def _save_when_wanted(self, engine: Engine) -> None:
        while True:
            await self._save_wanted.wait()
            self._save_wanted = trio.Event()
            await self.save(engine)

    async def save(self, engine: Engine) -> None:
        """Write the newest state to disk and tell the engine how it went."""
        revision = engine.state.revision
        event: SnapshotSaved | SnapshotFailed = SnapshotSaved(revision)
        try:
            with trio.fail_after(SAVE_LIMIT_SECS):
                await self._store.save(saved_from(engine.state, self._boot_id))
        except StoreError as error:
            event = SnapshotFailed(revision, str(error))
        except trio.TooSlowError:
            detail = f"the disk did not answer in {SAVE_LIMIT_SECS:g} s"
            event = SnapshotFailed(revision, detail)
        if isinstance(event, SnapshotFailed):
            _log.warning("not saved: %s", event.detail)
        engine.dispatch(event)

"""Effects: the judge is asked, voided and survived; the sensor and the disk are told."""

import logging

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.core import events
from antidriftd.core.model import Display, SensorHealth, Verdict, Window
from antidriftd.core.state import Active, State
from antidriftd.runtime.effects import EffectRunner
from antidriftd.runtime.requests import Requests, Sources
from tests.builders import BOOT_ID, RULES
from tests.fakes.judge import FakeDriftJudge
from tests.fakes.sensor import FakeWindowSensor
from tests.fakes.store import FakeSnapshotStore
from tests.runtime.engine_room import EngineRoom, open_engine

GAME = Window("supertux", "SuperTux")
NEWS = Window("newsboat", "news")


def status_of(state: State) -> str:
    assert isinstance(state.phase, Active)
    return state.phase.drift.status


async def drift_to(room: EngineRoom, window: Window) -> None:
    """Bring a window to the front and leave it there until it has been judged."""
    room.engine.dispatch(events.WindowFocused(window))
    await trio.sleep(RULES.dwell_secs + RULES.debounce_secs + 0.1)


async def test_the_judge_is_asked_about_the_window_in_front(autojump_clock: MockClock) -> None:
    async with open_engine(RULES) as room:
        await room.start("code")
        await drift_to(room, GAME)

        assert room.judge.asked == [GAME]
        assert status_of(room.engine.published()) == "drifting"


async def test_the_engine_goes_on_while_the_judge_thinks(autojump_clock: MockClock) -> None:
    async with open_engine(RULES) as room:
        room.judge.think()
        await room.start("code")
        await drift_to(room, GAME)
        assert status_of(room.engine.published()) == "pending"

        with trio.fail_after(0.1):
            await room.engine.execute(events.ExtendSession(60))

        room.judge.conclude()
        await wait_all_tasks_blocked()
        assert status_of(room.engine.published()) == "drifting"


async def test_a_question_that_an_answer_voids_is_cancelled(autojump_clock: MockClock) -> None:
    async with open_engine(RULES) as room:
        room.judge.think()
        await room.start("code")
        await drift_to(room, GAME)
        await room.engine.execute(events.AllowContext(GAME.window_class))
        await wait_all_tasks_blocked()

        assert room.judge.cancelled == [GAME]
        assert status_of(room.engine.published()) == "ontask"


async def test_a_question_of_a_session_that_ends_is_cancelled(autojump_clock: MockClock) -> None:
    async with open_engine(RULES) as room:
        room.judge.think()
        await room.start("code")
        await drift_to(room, GAME)
        await room.engine.execute(events.CompleteSession())
        await wait_all_tasks_blocked()
        assert room.judge.cancelled == [GAME]

        room.judge.conclude()
        await room.start("code")
        await drift_to(room, NEWS)
        assert room.judge.asked == [GAME, NEWS]


async def test_questions_are_cancelled_when_the_daemon_stops(autojump_clock: MockClock) -> None:
    judge = FakeDriftJudge()
    async with open_engine(RULES, judge=judge) as room:
        judge.think()
        await room.start("code")
        await drift_to(room, GAME)

    assert judge.cancelled == [GAME]


async def test_an_advisor_that_gives_no_answer_raises_no_alarm(autojump_clock: MockClock) -> None:
    def answer() -> Verdict:
        raise AdvisorError("claude is not on PATH")

    async with open_engine(RULES, judge=FakeDriftJudge(answer)) as room:
        await room.start("code")
        await drift_to(room, GAME)

        state = room.engine.published()
        assert status_of(state) == "idle"
        assert "claude is not on PATH" in state.notices[-1].text


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("a bug"),
        KeyError(3),
        MemoryError(),
        trio.TooSlowError(),
        RecursionError("too deep"),
        ExceptionGroup("several", [ValueError("one")]),
    ],
)
async def test_whatever_the_advisor_raises_the_session_goes_on(
    autojump_clock: MockClock, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def answer() -> Verdict:
        raise error

    judge = FakeDriftJudge(answer)
    async with open_engine(RULES, judge=judge) as room:
        await room.start("code")
        await drift_to(room, GAME)
        assert status_of(room.engine.published()) == "idle"
        tracebacks = [record for record in caplog.records if record.exc_info]
        assert [record.levelno for record in tracebacks] == [logging.ERROR]

        judge.answer = lambda: Verdict(on_task=False, reason="off task")
        await drift_to(room, NEWS)
        assert status_of(room.engine.published()) == "drifting"


async def test_an_offered_display_reaches_the_sensor(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        looking = SensorHealth("auto", ok=False, detail="no display", takes_display=True)
        room.engine.dispatch(events.SensorChanged(looking))
        await room.engine.execute(events.OfferDisplay(Display(":7", "/home/me/.Xauthority")))
        await wait_all_tasks_blocked()

        assert room.sensor.displays == [Display(":7", "/home/me/.Xauthority")]


async def test_without_a_judge_a_question_fails_at_once(autojump_clock: MockClock) -> None:
    """The core never asks then; were it to, the question must not stay open."""
    async with open_engine(RULES) as room:
        judgeless = EffectRunner(
            store=FakeSnapshotStore(),
            sensor=FakeWindowSensor(),
            requests=Requests(Sources()),
            boot_id=BOOT_ID,
        )
        room.judge.think()
        await room.start("code")
        await drift_to(room, GAME)
        room.nursery.start_soon(judgeless.run, room.engine)
        judgeless.perform(room.performed[-1])
        await wait_all_tasks_blocked()

        assert status_of(room.engine.published()) == "idle"


async def test_the_last_save_holds_what_the_others_had_no_time_for(
    autojump_clock: MockClock,
) -> None:
    store = FakeSnapshotStore()
    async with open_engine(store=store) as room:
        runner = EffectRunner(
            store=store, sensor=room.sensor, requests=Requests(Sources()), boot_id=BOOT_ID
        )
        room.store.hang()
        with trio.move_on_after(1):
            await room.engine.execute(events.EnterPlanning("read"))
        room.nursery.cancel_scope.cancel()
    store.resume()
    await runner.save(room.engine)

    assert [saved.revision for saved in store.saves] == [room.engine.state.revision]
    assert room.engine.state.saving.durable

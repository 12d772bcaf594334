"""Effects: the judge is asked, voided and survived; the sensor and the disk are told."""

import logging
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.core import events
from antidriftd.core.model import Display, SensorHealth, Verdict, Window
from antidriftd.core.restore import Saved
from antidriftd.core.state import Active, Planning, State
from antidriftd.runtime.requests import Sources
from tests.builders import BOOT_ID, NO_JUDGE, RULES, WITH_HELP
from tests.fakes.judge import FakeDriftJudge
from tests.fakes.nudger import FakeNudger
from tests.fakes.planning import OUTLINE, TASKS, FakeCoach, FakeKnowledgeSource, FakeTaskSource
from tests.fakes.store import FakeSnapshotStore
from tests.runtime.engine_room import EngineRoom, a_runner, open_engine

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


async def test_planning_goes_on_and_the_coach_hears_of_the_profile(
    autojump_clock: MockClock,
) -> None:
    coach, tasks, knowledge = FakeCoach(), FakeTaskSource(), FakeKnowledgeSource("who I am")
    for fake in (coach, tasks, knowledge):
        fake.think()
    sources = Sources(coach=coach, tasks=tasks, knowledge=knowledge)
    async with open_engine(WITH_HELP, sources=sources) as room:
        with trio.fail_after(0.1):
            await room.engine.execute(events.RequestCoach("the report"))
        await wait_all_tasks_blocked()
        assert (coach.asked, tasks.fetches) == ([], 1)
        for fake in (tasks, knowledge):
            fake.conclude()
        await wait_all_tasks_blocked()
        assert coach.asked == [("the report", "who I am")]
        await room.engine.execute(events.RequestCoach())
        await wait_all_tasks_blocked()
        assert (coach.voided, coach.asked[1:]) == (1, [("the report", "who I am")])
        coach.conclude()
        await wait_all_tasks_blocked()

        state = room.engine.published()
        assert isinstance(state.phase, Planning)
        assert (state.phase.coaching.proposal, state.tasks.items) == (OUTLINE, TASKS)
        assert (coach.voided, tasks.voided, knowledge.voided) == (1, 0, 0)


@pytest.mark.parametrize(("profile_came", "voided"), [(False, (0, 1, 1)), (True, (1, 1, 0))])
async def test_leaving_planning_cancels_what_only_planning_needs(
    autojump_clock: MockClock, profile_came: bool, voided: tuple[int, int, int]
) -> None:
    coach, tasks, knowledge = FakeCoach(), FakeTaskSource(), FakeKnowledgeSource()
    for fake in (coach, tasks, knowledge):
        fake.think()
    sources = Sources(coach=coach, tasks=tasks, knowledge=knowledge)
    async with open_engine(WITH_HELP, sources=sources) as room:
        await room.engine.execute(events.RequestCoach("the report"))
        if profile_came:
            knowledge.conclude()
        await wait_all_tasks_blocked()
        await room.engine.execute(events.CancelPlanning())
        await wait_all_tasks_blocked()

        assert (coach.voided, tasks.voided, knowledge.voided) == voided


async def test_a_nudge_comes_by_itself(autojump_clock: MockClock) -> None:
    rules = replace(NO_JUDGE, has_nudger=True)
    async with open_engine(rules, sources=Sources(nudger=FakeNudger())) as room:
        await room.start("code")
        await trio.sleep(rules.nudge_every_secs + 1)

        phase = room.engine.published().phase
        assert isinstance(phase, Active)
        assert phase.nudge.text == "keep going"


async def test_a_proposal_nobody_has_taken_is_on_disk(autojump_clock: MockClock) -> None:
    async with open_engine(WITH_HELP, sources=Sources(coach=FakeCoach())) as room:
        await room.engine.execute(events.RequestCoach("the report"))
        await wait_all_tasks_blocked()

        saved = room.store.saves[-1].phase
        assert isinstance(saved, Planning)
        assert saved.coaching.proposal == OUTLINE


async def test_what_a_restored_state_has_under_way_is_begun(autojump_clock: MockClock) -> None:
    tasks, knowledge = FakeTaskSource(), FakeKnowledgeSource("who I am")
    sources = Sources(tasks=tasks, knowledge=knowledge)
    saved = Saved(revision=1, boot_id=BOOT_ID, phase=Planning("the report"))
    async with open_engine(WITH_HELP, sources=sources, saved=saved) as room:
        room.engine.begin()
        await wait_all_tasks_blocked()

        assert room.engine.published().tasks.items == TASKS
        assert room.engine.published().grounding.text == "who I am"


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
        judgeless = a_runner()
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
        runner = a_runner(store=store)
        room.store.hang()
        with trio.move_on_after(1):
            await room.engine.execute(events.EnterPlanning("read"))
        room.nursery.cancel_scope.cancel()
    store.resume()
    await runner.save(room.engine)

    assert [saved.revision for saved in store.saves] == [room.engine.state.revision]
    assert room.engine.state.saving.durable


async def test_what_is_on_disk_already_is_not_written_again(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        runner = a_runner(store=room.store)
        await room.engine.execute(events.EnterPlanning("read"))
        written = room.store.begun
        for _ in range(3):
            await runner.save(room.engine)
        assert room.store.begun == written + 1  # it is another runner, which can't know

        await room.engine.execute(events.EnterPlanning("write"))
        await runner.save(room.engine)
        assert room.store.saves[-1].phase == Planning("write")


async def test_what_may_not_be_on_disk_is_written_again(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        runner = a_runner(store=room.store)
        await runner.save(room.engine)
        room.store.trouble = "No space left on device"
        await room.engine.execute(events.EnterPlanning("read"))
        await runner.save(room.engine)
        room.store.trouble = ""
        written = room.store.begun
        await runner.save(room.engine)

        assert room.store.begun == written + 1
        assert room.engine.state.saving.durable

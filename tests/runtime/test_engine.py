"""The engine: what is published, and when a command is answered."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.core import events
from antidriftd.core.errors import TransitionRefused
from antidriftd.core.model import SensorHealth, Window
from antidriftd.core.state import Active, Planning, State
from tests.runtime.engine_room import EngineRoom, open_engine

CLIENT_PATIENCE_SECS = 10.0


def intent_of(state: State) -> str:
    assert isinstance(state.phase, Planning)
    return state.phase.intent


async def plan(room: EngineRoom, intent: str, answers: list[State]) -> None:
    answers.append(await room.engine.execute(events.EnterPlanning(intent)))


async def test_a_command_is_answered_once_its_state_is_on_disk(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        room.store.delay_secs = 3.0

        state = await room.engine.execute(events.EnterPlanning("read"))

        assert trio.current_time() >= 3.0
        assert state.saving.durable
        assert [saved.revision for saved in room.store.saves] == [state.revision]
        assert intent_of(state) == "read"


async def test_nobody_sees_a_command_before_its_save_is_decided(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        before = room.engine.published()
        room.store.hang()
        answers: list[State] = []
        room.nursery.start_soon(plan, room, "read", answers)
        await wait_all_tasks_blocked()
        room.engine.dispatch(events.WindowFocused(Window("code", "main.py")))

        assert (room.published, answers) == ([], [])
        assert room.engine.published().phase == before.phase

        room.store.resume()
        await wait_all_tasks_blocked()
        assert [intent_of(state) for state in (*answers, *room.published)] == ["read", "read"]
        assert room.published[0].window == Window("code", "main.py")


async def test_an_observation_is_published_at_once(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        room.store.hang()
        room.engine.dispatch(events.WindowFocused(Window("code", "main.py")))

        assert [state.window for state in room.published] == [Window("code", "main.py")]
        assert room.published[0].saving.durable


async def test_what_shows_no_difference_is_not_published(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        await room.start("code")
        room.engine.dispatch(events.WindowFocused(Window("code", "main.py")))
        published = list(room.published)

        await trio.sleep(30)
        room.engine.dispatch(events.TimeElapsed())
        room.engine.dispatch(events.WindowFocused(Window("code", "main.py")))

        assert room.published == published


async def test_the_published_state_is_counted_up_to_now(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        started = await room.start()
        await trio.sleep(20)

        later = room.engine.published()

        assert isinstance(later.phase, Active)
        assert later.phase.session.evidence.unjudged_secs == pytest.approx(20, abs=0.1)
        assert later.revision == started.revision


async def test_a_refused_command_changes_nothing_and_saves_nothing(
    autojump_clock: MockClock,
) -> None:
    async with open_engine() as room:
        before = room.engine.state

        with pytest.raises(TransitionRefused):
            await room.engine.execute(events.CompleteSession())

        await wait_all_tasks_blocked()
        assert room.engine.state is before
        assert (room.published, room.store.begun) == ([], 0)


async def test_a_command_that_has_nothing_to_do_is_answered_although_the_disk_hangs(
    autojump_clock: MockClock,
) -> None:
    async with open_engine() as room:
        started = await room.start()
        room.store.hang()
        with trio.fail_after(1):
            state = await room.engine.execute(events.Refocus())

        assert state.revision == started.revision
        assert state.saving.durable


async def test_a_command_holds_in_memory_when_the_disk_refuses(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        room.store.trouble = "No space left on device"

        state = await room.engine.execute(events.EnterPlanning("read"))

        assert intent_of(state) == "read"
        assert not state.saving.durable
        assert [notice.text for notice in state.notices] == [
            "not saved to disk, and tried again by itself: No space left on device"
        ]
        assert room.published == [state]


async def test_a_refused_save_is_tried_again_by_itself(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        room.store.trouble = "No space left on device"
        refused = await room.engine.execute(events.EnterPlanning("read"))
        await trio.sleep(600)
        room.store.trouble = ""
        attempts = room.store.begun
        assert 10 < attempts < 100  # it goes on, but doesn't hammer

        await trio.sleep(60)

        durable = room.published[-1]
        assert durable.saving.durable
        assert durable.notices == ()
        assert durable.revision > refused.revision
        assert intent_of(durable) == "read"
        assert room.store.begun == attempts + 1


async def test_a_disk_that_hangs_counts_as_one_that_refuses(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        room.store.hang()
        with trio.fail_after(CLIENT_PATIENCE_SECS):
            state = await room.engine.execute(events.EnterPlanning("read"))

        assert not state.saving.durable
        assert "did not answer" in state.notices[0].text


async def test_no_client_loses_patience_while_the_disk_hangs(autojump_clock: MockClock) -> None:
    """However the commands of several clients fall, each is answered in time."""
    async with open_engine() as room:
        room.store.hang()
        waited: list[float] = []

        async def ask(number: int) -> None:
            begun = trio.current_time()
            await room.engine.execute(events.EnterPlanning(f"intent {number}"))
            waited.append(trio.current_time() - begun)

        for number in range(30):
            room.nursery.start_soon(ask, number)
            await trio.sleep(1.3)
        await trio.sleep(60)

        assert len(waited) == 30
        assert max(waited) < CLIENT_PATIENCE_SECS


async def test_a_command_waits_for_its_own_save_and_for_no_later_one(
    autojump_clock: MockClock,
) -> None:
    async with open_engine() as room:
        room.store.delay_secs = 2.0
        answers: list[State] = []
        room.nursery.start_soon(plan, room, "first", answers)
        await trio.sleep(1)
        room.nursery.start_soon(plan, room, "second", answers)
        await trio.sleep(1.5)

        assert [intent_of(state) for state in answers] == ["first"]
        assert [intent_of(state) for state in room.published] == ["first"]
        assert answers[0].saving.durable

        await trio.sleep(2)
        assert [intent_of(state) for state in answers] == ["first", "second"]
        assert room.revisions == sorted(set(room.revisions))


async def test_an_earlier_command_is_told_that_the_disk_refused_it(
    autojump_clock: MockClock,
) -> None:
    async with open_engine() as room:
        room.store.delay_secs = 2.0
        room.store.trouble = "Input/output error"
        answers: list[State] = []
        room.nursery.start_soon(plan, room, "first", answers)
        await trio.sleep(1)
        room.nursery.start_soon(plan, room, "second", answers)
        await trio.sleep(1.5)

        assert [intent_of(state) for state in answers] == ["first"]
        assert not answers[0].saving.durable
        assert "Input/output error" in answers[0].notices[0].text


async def test_commands_that_come_together_share_a_save(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        room.store.delay_secs = 1.0
        answers: list[State] = []
        for number in range(50):
            room.nursery.start_soon(plan, room, f"intent {number}", answers)
        await trio.sleep(10)

        assert len(answers) == 50
        assert all(state.saving.durable for state in answers)
        assert room.store.begun <= 2
        assert room.store.saves[-1].revision == answers[-1].revision


@pytest.mark.parametrize("trouble", ["", "No space left on device"])
async def test_revisions_rise_strictly_whatever_the_disk_does(
    autojump_clock: MockClock, trouble: str
) -> None:
    async with open_engine() as room:
        room.store.delay_secs = 0.7
        answers: list[State] = []
        for number in range(40):
            room.store.trouble = trouble if number % 5 < 3 else ""
            room.nursery.start_soon(plan, room, f"intent {number}", answers)
            await trio.sleep(0.3)
            room.engine.dispatch(events.WindowFocused(Window("code", f"{number}.py")))
        await trio.sleep(120)

        assert len(answers) == 40
        assert room.revisions == sorted(set(room.revisions))
        assert room.engine.published() == room.engine.state
        assert room.engine.state.saving.durable


async def test_the_published_sensor_is_the_newest(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        lost = SensorHealth("x11", ok=False, detail="no display")
        room.engine.dispatch(events.SensorChanged(lost))

        assert room.published[-1].sensor == lost


async def test_time_alone_brings_the_next_event(autojump_clock: MockClock) -> None:
    """A session's evidence reaches the disk each minute although nothing happens."""
    async with open_engine() as room:
        await room.start()
        await trio.sleep(300)

        assert 5 <= len(room.store.saves) <= 7


async def test_nothing_ticks_while_nothing_is_due(autojump_clock: MockClock) -> None:
    async with open_engine() as room:
        room.engine.dispatch(events.TimeElapsed())
        readings = room.clock.readings
        await trio.sleep(86_400)

        assert room.clock.readings == readings

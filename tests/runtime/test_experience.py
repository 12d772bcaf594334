"""What was learned while the daemon runs: read in the background, asked, and forgotten at once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.adapters.store.port import StoreError
from antidriftd.core.learned import ClassUse, Label, Past
from antidriftd.core.model import Commitment, Window
from antidriftd.core.recording_state import Entry, SessionReviewed
from antidriftd.runtime.experience import PastAnswers, WatchedHistory
from tests.adapters.store.histories import ended
from tests.builders import RULES
from tests.fakes.history import FakeHistoryStore
from tests.fakes.labels import FakeLabelStore

WRITE = Commitment("write the report", "", 1500)
CALL = Commitment("call the bank", "", 600)
STEAM = Window("steam", "a game")


def label(session: str, at: float, window_class: str = "Steam") -> Label:
    return Label(
        session_id=session,
        entry=1,
        at=at,
        on_task=False,
        window_class=window_class,
        page="",
        title="",
        commitment=WRITE,
    )


TWICE = Past((label("s1", 1.0), label("s2", 2.0)), as_of=2.0)


@asynccontextmanager
async def open_past(store: FakeLabelStore) -> AsyncIterator[PastAnswers]:
    past = PastAnswers(store, lambda commitment: commitment.next_action[:4], RULES)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(past.run)
        await wait_all_tasks_blocked()
        yield past
        nursery.cancel_scope.cancel()


async def test_what_is_known_at_the_start_is_a_hint(autojump_clock: MockClock) -> None:
    async with open_past(FakeLabelStore(TWICE)) as past:
        hint = await past.hint(WRITE, STEAM)
        assert hint is not None
        assert not hint.on_task
        assert await past.hint(CALL, STEAM) is None
        assert await past.hint(WRITE, Window("gimp", "")) is None


async def test_before_it_is_read_nothing_is_known() -> None:
    past = PastAnswers(FakeLabelStore(TWICE), lambda commitment: "any", RULES)

    assert await past.hint(WRITE, STEAM) is None
    assert await past.usual_classes(WRITE) == ()


async def test_commitments_whose_kind_nobody_can_tell_are_not_alike() -> None:
    past = PastAnswers(FakeLabelStore(TWICE), lambda commitment: "", RULES)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(past.run)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()

    assert await past.hint(WRITE, STEAM) is None


async def test_the_end_of_a_session_has_it_read_again(autojump_clock: MockClock) -> None:
    store = FakeLabelStore()
    async with open_past(store) as past:
        history = WatchedHistory(FakeHistoryStore(), past.refresh)
        store.past = TWICE
        await history.write([Entry(1, SessionReviewed(session_id="s1", outcome="", note=""))])
        await wait_all_tasks_blocked()
        assert await past.hint(WRITE, STEAM) is None

        await history.write([Entry(2, ended("s1"))])
        await wait_all_tasks_blocked()
        assert await past.hint(WRITE, STEAM) is not None


async def test_a_history_that_refuses_is_not_read_again(autojump_clock: MockClock) -> None:
    store, broken = FakeLabelStore(), FakeHistoryStore()
    broken.trouble = "the disk is full"
    async with open_past(store) as past:
        with pytest.raises(StoreError):
            await WatchedHistory(broken, past.refresh).write([Entry(1, ended("s1"))])
        await wait_all_tasks_blocked()

    assert store.reads == 1


async def test_the_usual_classes_are_those_of_like_commitments(autojump_clock: MockClock) -> None:
    uses = tuple(
        ClassUse(commitment=each, window_class=name, ontask_secs=900)
        for each, name in ((WRITE, "code"), (CALL, "phone"))
    )
    async with open_past(FakeLabelStore(Past(uses=uses))) as past:
        assert await past.usual_classes(WRITE) == ("code",)


async def test_what_is_forgotten_is_no_hint_from_then_on(autojump_clock: MockClock) -> None:
    store = FakeLabelStore(replace(TWICE, labels=(*TWICE.labels, label("s1", 0.5, "gimp"))))
    async with open_past(store) as past:
        assert await past.hint(WRITE, STEAM) is not None
        ((number, gone),) = await past.forget(lambda known: [known[1]])

        assert number == 2
        assert gone.window_class == "Steam"
        assert await past.hint(WRITE, STEAM) is None
        assert [each.window_class for each in await past.lessons()] == ["gimp"]


async def test_forgetting_reaches_what_is_older_than_what_is_listed(
    autojump_clock: MockClock,
) -> None:
    many = tuple(label(f"s{number}", float(number)) for number in range(6_000))
    store = FakeLabelStore(Past(many, as_of=6_000.0))
    async with open_past(store) as past:
        (listed,) = await past.lessons()
        ((_, gone),) = await past.forget(lambda known: known)

    assert (len(listed.labels), len(gone.labels)) == (5_000, 6_000)
    assert store.past.labels == ()


async def test_a_disk_that_refuses_forgets_nothing(autojump_clock: MockClock) -> None:
    store = FakeLabelStore(TWICE)
    store.trouble = "the disk is full"
    async with open_past(store) as past:
        with pytest.raises(StoreError):
            await past.forget(lambda known: known)

        assert await past.hint(WRITE, STEAM) is not None


async def test_what_is_forgotten_is_read_once(autojump_clock: MockClock) -> None:
    store = FakeLabelStore(TWICE)
    async with open_past(store) as past:
        before = store.reads
        await past.forget(lambda known: known)

    assert store.reads == before + 1


@pytest.mark.parametrize("ask", ["hint", "usual_classes", "lessons"])
async def test_others_get_their_turn_however_much_is_remembered(
    autojump_clock: MockClock, ask: str
) -> None:
    plans = [Commitment("write the report", f"part {number}", 1500) for number in range(300)]
    labels = tuple(replace(label(f"s{at}", at), commitment=each) for at, each in enumerate(plans))
    uses = tuple(ClassUse(commitment=each, window_class="code", ontask_secs=9) for each in plans)
    turns = 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            await trio.lowlevel.checkpoint()
            turns += 1

    async with (
        open_past(FakeLabelStore(Past(labels, uses, as_of=300.0))) as past,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(take_turns)
        match ask:
            case "hint":
                assert await past.hint(WRITE, STEAM)
            case "usual_classes":
                assert await past.usual_classes(WRITE)
            case _:
                assert await past.lessons()
        nursery.cancel_scope.cancel()

    assert turns > len(plans) // 2


async def test_what_is_gone_while_a_hint_is_sought_is_no_part_of_it(
    autojump_clock: MockClock,
) -> None:
    hints: list[object] = []
    plans = [Commitment("write the report", f"part {number}", 1500) for number in range(300)]
    labels = tuple(replace(label(f"s{at}", at), commitment=each) for at, each in enumerate(plans))
    store = FakeLabelStore(Past(labels, as_of=300.0))
    async with open_past(store) as past, trio.open_nursery() as nursery:

        async def seek() -> None:
            hints.append(await past.hint(WRITE, STEAM))

        nursery.start_soon(seek)
        store.past = Past()
        past.refresh()

    assert hints == [None]

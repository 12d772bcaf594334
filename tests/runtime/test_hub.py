"""The hub: what a watcher is sent, and how often."""

from dataclasses import replace

import trio
from trio.testing import MockClock

from antidriftd.core.state import State
from antidriftd.runtime.hub import Hub
from tests.builders import a_state
from tests.fakes.clock import TrioClock


class FakeSubscriber:
    """Keeps what it was offered, and when; like a connection, it takes nothing twice."""

    def __init__(self, since: int = 0) -> None:
        self.offers: list[tuple[float, int]] = []
        self._seen = since

    @property
    def revisions(self) -> list[int]:
        return [revision for _, revision in self.offers]

    def offer(self, revision: int, frame: bytes) -> None:
        assert frame == str(revision).encode()
        if revision > self._seen:
            self._seen = revision
            self.offers.append((trio.current_time(), revision))


def a_revision(number: int) -> State:
    return replace(a_state(now=TrioClock().now()), revision=number)


def open_hub(nursery: trio.Nursery) -> Hub:
    hub = Hub(lambda state: str(state.revision).encode())
    nursery.start_soon(hub.run)
    return hub


async def publish(hub: Hub, first: int, last: int, *, every_secs: float) -> None:
    for number in range(first, last + 1):
        hub.publish(a_revision(number))
        await trio.sleep(every_secs)


async def test_the_first_change_goes_out_at_once(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    hub, subscriber = open_hub(nursery), FakeSubscriber()
    hub.subscribe(subscriber, since=1)

    hub.publish(a_revision(2))

    assert subscriber.revisions == [2]


async def test_at_most_ten_states_are_sent_in_any_second(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    hub, early, late = open_hub(nursery), FakeSubscriber(), FakeSubscriber(since=400)
    hub.subscribe(early, since=0)
    nursery.start_soon(lambda: publish(hub, 1, 1000, every_secs=0.007))
    await trio.sleep(3)
    hub.subscribe(late, since=400)
    await trio.sleep(7)

    for subscriber in (early, late):
        times = [at for at, _ in subscriber.offers]
        assert max(sum(at <= other < at + 1 for other in times) for at in times) in {9, 10}


async def test_the_last_state_always_arrives(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    hub, subscriber = open_hub(nursery), FakeSubscriber()
    hub.subscribe(subscriber, since=0)
    for last in range(1, 200):
        await publish(hub, last, last, every_secs=0.0)
        await trio.sleep(last * 0.003)
        hub.publish(a_revision(1000 * last))
        await trio.sleep(1)

        assert subscriber.revisions[-1] == 1000 * last
        subscriber._seen = 0


async def test_revisions_rise_strictly(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    hub, subscriber = open_hub(nursery), FakeSubscriber()
    hub.subscribe(subscriber, since=0)
    await publish(hub, 1, 500, every_secs=0.013)
    await trio.sleep(1)

    assert subscriber.revisions == sorted(set(subscriber.revisions))
    assert subscriber.revisions[-1] == 500


async def test_a_burst_is_told_by_its_first_and_last_state(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    hub, subscriber = open_hub(nursery), FakeSubscriber()
    hub.subscribe(subscriber, since=0)
    await publish(hub, 1, 50, every_secs=0.0)
    await trio.sleep(1)

    assert subscriber.revisions == [1, 50]


async def test_who_subscribes_late_misses_nothing(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    """A state may have been published while the reply to `watch` was on its way."""
    hub, subscriber = open_hub(nursery), FakeSubscriber(since=1)
    hub.publish(a_revision(1))
    hub.publish(a_revision(2))

    hub.subscribe(subscriber, since=1)
    await trio.sleep(1)

    assert subscriber.revisions == [2]


async def test_who_has_seen_the_newest_state_is_sent_nothing(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    hub, subscriber = open_hub(nursery), FakeSubscriber(since=2)
    hub.publish(a_revision(2))
    hub.subscribe(subscriber, since=2)
    await trio.sleep(60)

    assert subscriber.revisions == []


async def test_who_has_left_is_offered_nothing(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    hub, stays, leaves = open_hub(nursery), FakeSubscriber(), FakeSubscriber()
    hub.subscribe(stays, since=0)
    hub.subscribe(leaves, since=0)
    hub.publish(a_revision(1))
    hub.publish(a_revision(2))
    hub.unsubscribe(leaves)
    hub.unsubscribe(leaves)
    await trio.sleep(1)

    assert (stays.revisions, leaves.revisions) == ([1, 2], [1])


async def test_a_subscriber_that_leaves_when_offered_something_harms_no_other(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    hub = open_hub(nursery)

    class Leaver(FakeSubscriber):
        def offer(self, revision: int, frame: bytes) -> None:
            super().offer(revision, frame)
            hub.unsubscribe(self)

    leavers, stays = [Leaver() for _ in range(5)], FakeSubscriber()
    for subscriber in (*leavers, stays):
        hub.subscribe(subscriber, since=0)
    hub.publish(a_revision(1))
    hub.publish(a_revision(2))
    await trio.sleep(1)

    assert stays.revisions == [1, 2]
    assert [leaver.revisions for leaver in leavers] == [[1]] * 5


async def test_without_watchers_no_state_is_encoded(nursery: trio.Nursery) -> None:
    encoded: list[int] = []

    def encode(state: State) -> bytes:
        encoded.append(state.revision)
        return b""

    hub = Hub(encode)
    nursery.start_soon(hub.run)
    hub.publish(a_revision(1))

    assert encoded == []

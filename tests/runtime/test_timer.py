"""The timer: one deadline that can be moved at any moment."""

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from antidriftd.runtime.timer import Timer


def open_timer(nursery: trio.Nursery) -> tuple[Timer, list[float]]:
    """Return a timer that runs, and the times at which it has fired."""
    timer, fired = Timer(), list[float]()
    nursery.start_soon(timer.run, lambda: fired.append(trio.current_time()))
    return timer, fired


async def test_it_fires_once_when_its_deadline_comes(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    timer, fired = open_timer(nursery)
    timer.arm(5)
    await trio.sleep(100)

    assert fired == pytest.approx([5])


async def test_it_can_be_armed_while_it_waits_and_before_it_runs(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    timer, fired = open_timer(nursery)
    timer.arm(5)
    await trio.sleep(4)
    timer.arm(5)
    await trio.sleep(4)
    timer.arm(1)
    await trio.sleep(100)

    assert fired == pytest.approx([9])


async def test_a_deadline_can_be_taken_away(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    timer, fired = open_timer(nursery)
    timer.arm(5)
    await trio.sleep(1)
    timer.arm(None)
    await trio.sleep(100)

    assert fired == []


async def test_it_may_be_armed_from_what_it_calls(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    timer, fired = Timer(), list[float]()

    def fire() -> None:
        fired.append(trio.current_time())
        timer.arm(2 if len(fired) < 4 else None)

    nursery.start_soon(timer.run, fire)
    timer.arm(1)
    await trio.sleep(100)

    assert fired == pytest.approx([1, 3, 5, 7])


@given(delays=st.lists(st.tuples(st.floats(0, 3), st.floats(0, 5)), min_size=1, max_size=20))
def test_it_always_fires_at_the_last_deadline_and_never_before_one(
    delays: list[tuple[float, float]],
) -> None:
    """Each pair: how long to wait, then a new deadline from there."""

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            timer, fired = open_timer(nursery)
            for wait, delay in delays:
                await trio.sleep(wait)
                already = len(fired)
                due = trio.current_time() + delay
                timer.arm(delay)
            await trio.sleep(10)

            # One that came at that very instant may be told too.
            assert fired[already:][-1] == pytest.approx(due)
            assert all(at >= due - 1e-9 for at in fired[already:][1:])
            nursery.cancel_scope.cancel()

    trio.run(run, clock=MockClock(autojump_threshold=0))


async def test_a_deadline_in_the_past_fires_at_once(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    timer, fired = open_timer(nursery)
    await trio.sleep(10)
    timer.arm(0)
    await trio.sleep(1)

    assert fired == pytest.approx([10])

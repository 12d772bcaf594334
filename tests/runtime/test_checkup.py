"""The looks that the daemon takes at itself: all of them, in order, whatever one does."""

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from antidriftd.core.state import State
from antidriftd.runtime.checkup import LOOK_SECS, Checkup, Found, Look
from tests.builders import a_state
from tests.fakes.clock import FakeTime

FINE = Found("ok", "fine")


def state() -> State:
    return a_state(now=FakeTime().now())


def after(secs: float) -> Look:
    async def look(_: object) -> Found:
        await trio.sleep(secs)
        return FINE

    return look


async def breaks(_: object) -> Found:
    raise ZeroDivisionError


async def test_all_looks_are_taken_at_once_and_told_in_their_order(
    autojump_clock: MockClock,
) -> None:
    began = trio.current_time()
    found = await Checkup({"b": after(3), "a": after(2), "c": after(1)}).examine(state)

    assert list(found) == ["b", "a", "c"]
    assert trio.current_time() - began == pytest.approx(3)


async def test_a_look_that_takes_too_long_is_a_warning_and_delays_no_other(
    autojump_clock: MockClock,
) -> None:
    began = trio.current_time()
    found = await Checkup({"slow": after(1e6), "quick": after(0)}).examine(state)

    assert (found["slow"].status, found["quick"]) == ("warning", FINE)
    assert found["slow"].remedy
    assert trio.current_time() - began == pytest.approx(LOOK_SECS)


async def test_a_look_that_breaks_spoils_no_other_and_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = await Checkup({"broken": breaks, "good": after(0)}).examine(state)

    assert (found["broken"].status, found["good"]) == ("failed", FINE)
    assert "looking at broken failed" in caplog.text


async def test_a_look_is_given_the_state_of_the_moment() -> None:
    async def look(now: object) -> Found:
        assert now is state
        return FINE

    assert (await Checkup({"a": look}).examine(state))["a"] == FINE


async def test_it_looks_for_one_at_a_time(autojump_clock: MockClock) -> None:
    checkup = Checkup({"a": after(1)})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(checkup.examine, state)
        await trio.testing.wait_all_tasks_blocked(0.1)
        with pytest.raises(trio.WouldBlock):
            await checkup.examine(state)

    assert (await checkup.examine(state))["a"] == FINE


async def test_one_that_was_given_up_stops_no_later_one(autojump_clock: MockClock) -> None:
    checkup = Checkup({"a": after(5)})
    with trio.move_on_after(1):
        await checkup.examine(state)

    assert (await checkup.examine(state))["a"] == FINE

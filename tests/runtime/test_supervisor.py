"""The supervisor: a part that fails is started again, and takes nothing else with it."""

import logging

import pytest
import trio
from trio.testing import MockClock

from antidriftd.runtime.supervisor import keep_running


class Part:
    """Fails in every run, after `lasts_secs`."""

    def __init__(self, lasts_secs: float = 0.0, error: Exception | None = None) -> None:
        self.lasts_secs = lasts_secs
        self.error = error
        self.starts: list[float] = []
        self.told: list[str] = []

    async def run(self) -> None:
        self.starts.append(trio.current_time())
        await trio.sleep(self.lasts_secs)
        if self.error is not None:
            raise self.error

    async def keep_running(self) -> None:
        await keep_running("the part", self.run, self.told.append)


@pytest.mark.parametrize(
    "error",
    [
        OSError("no display"),
        RuntimeError("a bug"),
        ExceptionGroup("several", [ValueError("one"), KeyError("two")]),
        None,
    ],
)
async def test_a_part_that_fails_or_ends_is_started_again(
    autojump_clock: MockClock, nursery: trio.Nursery, error: Exception | None
) -> None:
    part = Part(error=error)
    nursery.start_soon(part.keep_running)
    await trio.sleep(10)

    assert len(part.starts) > 2
    expected = type(error).__name__ if error else "it ended by itself"
    assert all(expected in why and "\n" not in why for why in part.told)
    nursery.cancel_scope.cancel()


async def test_the_wait_grows_to_a_minute_and_no_further(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    part = Part(error=OSError("no display"))
    nursery.start_soon(part.keep_running)
    await trio.sleep(3600)

    waits = [after - before for before, after in zip(part.starts, part.starts[1:], strict=False)]
    assert waits[:4] == pytest.approx([0.5, 1, 2, 4])
    assert max(waits) == pytest.approx(60)
    assert waits == sorted(waits)
    nursery.cancel_scope.cancel()


async def test_a_part_that_was_well_is_started_again_soon(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    part = Part(error=OSError("no display"))
    nursery.start_soon(part.keep_running)
    await trio.sleep(3600)
    part.lasts_secs = 100
    await trio.sleep(600)

    first, second = part.starts[-2:]
    assert second - first == pytest.approx(100.5)
    nursery.cancel_scope.cancel()


async def test_a_failure_is_logged_with_its_traceback(
    autojump_clock: MockClock, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    nursery.start_soon(Part(error=RuntimeError("a bug")).keep_running)
    await trio.sleep(0.1)

    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    nursery.cancel_scope.cancel()


async def test_it_ends_when_cancelled(autojump_clock: MockClock) -> None:
    with trio.move_on_after(5) as scope:
        await Part(error=OSError("no display")).keep_running()

    assert scope.cancelled_caught

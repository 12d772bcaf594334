"""Of many programs, a state shows those that were in front the longest."""

from pathlib import Path

import trio
from trio.testing import MockClock

from antidriftd.rpc.wire import SHOWN_CLASSES
from tests.rpc.served import open_served


async def test_of_the_classes_the_50_largest_are_shown(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with open_served(tmp_path) as served:
        await served.request("start", next_action="write")
        seen = [f"{number:02}" for number in range(SHOWN_CLASSES + 10)]
        for number, name in enumerate(seen):
            served.sensor.focus(name, "")
            await trio.sleep(1 + number)
        shown = [part["class"] for part in (await served.request("state"))["evidence"]["by_class"]]

    assert sorted(shown) == seen[-SHOWN_CLASSES:]

"""Hooks run one after the other, and hold nothing up."""

from dataclasses import replace

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.core import events
from antidriftd.runtime.hooks import MAX_WAITING
from tests.builders import NO_JUDGE
from tests.runtime.engine_room import open_engine

RULES = replace(NO_JUDGE, hooks=frozenset({"on_start", "on_complete"}))


async def test_they_run_in_the_order_of_what_happened(autojump_clock: MockClock) -> None:
    async with open_engine(RULES) as room:
        room.hooks.hang()
        await room.start("code")
        await room.engine.execute(events.CompleteSession())
        await wait_all_tasks_blocked()
        assert room.hooks.ran == [("on_start", b"on_start")]
        room.hooks.resume()
        await wait_all_tasks_blocked()

        assert room.hooks.ran == [("on_start", b"on_start"), ("on_complete", b"on_complete")]


async def test_one_that_fails_becomes_a_notice(autojump_clock: MockClock) -> None:
    async with open_engine(RULES) as room:
        room.hooks.trouble = "it exited with code 1"
        await room.start("code")
        await wait_all_tasks_blocked()
        assert [notice.text for notice in room.engine.published().notices] == [
            "the hook on_start failed: it exited with code 1"
        ]
        room.hooks.trouble = ""
        await room.engine.execute(events.CompleteSession())
        await room.start("code")
        await wait_all_tasks_blocked()

        assert room.engine.published().notices == ()


async def test_while_one_hangs_only_so_many_wait(autojump_clock: MockClock) -> None:
    async with open_engine(RULES) as room:
        room.hooks.hang()
        for _ in range(MAX_WAITING):
            await room.start("code")
            await room.engine.execute(events.CompleteSession())
        room.hooks.resume()
        await trio.sleep(1)

        assert len(room.hooks.ran) in {MAX_WAITING, MAX_WAITING + 1}

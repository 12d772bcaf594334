"""The prompt file keeps step with what is published."""

import logging

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from antidriftd.runtime.prompt import Prompt
from tests.fakes.prompt_file import FakePromptFile


async def test_each_line_that_is_different_is_written_once(autojump_clock: MockClock) -> None:
    file = FakePromptFile()
    prompt = Prompt(file)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(prompt.run)
        for line in (b"idle", b"idle", b"planning", b"planning"):
            prompt.tell(line)
            await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()

    assert file.lines == [b"idle", b"planning", None]


async def test_of_many_lines_at_once_the_newest_is_written(autojump_clock: MockClock) -> None:
    file = FakePromptFile()
    prompt = Prompt(file)
    prompt.tell(b"idle")
    prompt.tell(b"active")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(prompt.run)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()

    assert file.lines == [b"active", None]


async def test_a_disk_that_refuses_is_logged_once_and_tried_with_the_next_line(
    autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    file = FakePromptFile()
    prompt = Prompt(file)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(prompt.run)
        file.trouble = OSError("No space left on device")
        for line in (b"idle", b"planning"):
            prompt.tell(line)
            await wait_all_tasks_blocked()
        file.trouble = None
        prompt.tell(b"active")
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()

    assert file.lines == [b"active", None]
    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warnings) == 1

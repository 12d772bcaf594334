"""The prompt file keeps step with what is published."""

import logging

import pytest

from antidriftd.runtime.prompt import Prompt
from tests.fakes.prompt_file import FakePromptFile


def test_each_line_that_is_different_is_written_once() -> None:
    file = FakePromptFile()
    prompt = Prompt(file)
    for line in (b"idle", b"idle", b"planning", b"planning", b"idle"):
        prompt.tell(line)

    assert file.lines == [b"idle", b"planning", b"idle"]


def test_a_disk_that_refuses_is_logged_once_and_tried_with_the_next_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    file = FakePromptFile()
    prompt = Prompt(file)
    file.trouble = OSError("No space left on device")
    for line in (b"idle", b"planning"):
        prompt.tell(line)
    file.trouble = None
    prompt.tell(b"active")

    assert file.lines == [b"active"]
    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warnings) == 1


def test_a_line_that_was_refused_is_tried_again_when_it_is_told_again() -> None:
    file = FakePromptFile()
    prompt = Prompt(file)
    file.trouble = OSError("No space left on device")
    prompt.tell(b"idle")
    file.trouble = None
    prompt.tell(b"idle")

    assert file.lines == [b"idle"]

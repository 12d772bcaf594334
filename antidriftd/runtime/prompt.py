"""Keeps the prompt file in step with what is published."""

import logging

import trio

from antidriftd.adapters.prompt.port import PromptFile

_log = logging.getLogger(__name__)


class Prompt:
    """Writes the newest line, once for each that is different."""

    def __init__(self, file: PromptFile) -> None:
        self._file = file
        self._wanted = b""
        self._news = trio.Event()

    def tell(self, line: bytes) -> None:
        """Have `line` written; returns at once."""
        if line != self._wanted:
            self._wanted = line
            self._news.set()

    async def run(self) -> None:
        """Write what was told, until cancelled; then take the file away."""
        failed = False
        try:
            while True:
                await self._news.wait()
                self._news = trio.Event()
                try:
                    await self._file.write(self._wanted)
                    failed = False
                except OSError as error:
                    if not failed:
                        _log.warning("prompts show nothing new: %s", error)
                    failed = True
        finally:
            self._file.remove()

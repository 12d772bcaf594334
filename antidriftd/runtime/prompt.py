"""Keeps the prompt file in step with what is published."""

import logging

from antidriftd.adapters.prompt.port import PromptFile

_log = logging.getLogger(__name__)


class Prompt:
    """Writes each line that is different, at once: to a file in memory that takes no time."""

    def __init__(self, file: PromptFile) -> None:
        self._file = file
        self._told = b""
        self._is_failing = False

    def tell(self, line: bytes) -> None:
        """Have `line` in the file; a disk that refuses is logged once, and prompts show less."""
        if line == self._told:
            return
        self._told = line
        try:
            self._file.write(line)
        except OSError as error:
            if not self._is_failing:
                _log.warning("prompts show nothing new: %s", error)
            self._is_failing = True
        else:
            self._is_failing = False

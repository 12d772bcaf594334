"""Keeps the prompt file in step with what is published."""

import logging

from antidriftd.adapters.prompt.port import PromptFile

_log = logging.getLogger(__name__)


class Prompt:
    """Writes each line that is different, at once.

    With XDG_RUNTIME_DIR the file is in memory. Without, it is on a disk, but waits for none.
    """

    def __init__(self, file: PromptFile) -> None:
        self._file = file
        self._told = b""
        self._is_failing = False

    def tell(self, line: bytes) -> None:
        """Have `line` in the file; a refusal is logged once, and not remembered."""
        if line == self._told:
            return
        try:
            self._file.write(line)
        except OSError as error:
            if not self._is_failing:
                _log.warning("prompts show nothing new: %s", error)
            self._is_failing = True
        else:
            self._told, self._is_failing = line, False

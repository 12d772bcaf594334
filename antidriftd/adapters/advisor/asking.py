"""Asks a program one question: runs it on a prompt, and gets its answer or why there is none."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from antidriftd.adapters.advisor.outputs import Said
from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.programs.errors import ProgramError
from antidriftd.programs.process import Ending, Outcome, run_program
from protocol.visible import one_line

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """How a program is asked: all but the prompt."""

    label: str
    """What messages call the program."""
    argv: Sequence[str]
    """With an absolute path first."""
    files: Mapping[str, str]
    environ: Mapping[str, str]
    """All of the environment that the program gets."""
    timeout_secs: float
    read: Callable[[Outcome], Said]

    async def ask(self, prompt: str, parse: Callable[[str], _T]) -> _T:
        """Return what `parse` makes of the answer to `prompt`.

        Raises:
            AdvisorError: the program can't be run, gave no answer in time, or none that `parse`,
                which raises it then, can use.
        """
        try:
            outcome = await run_program(
                self.argv,
                prompt=prompt.encode(),
                timeout_secs=self.timeout_secs,
                environ=self.environ,
                files=self.files,
            )
        except ProgramError as error:
            raise AdvisorError(str(error)) from error
        said = self.read(outcome)
        if outcome.ending is Ending.TIMED_OUT:
            problem = f"{self.label} gave no answer in {self.timeout_secs:g} s"
            raise AdvisorError(f"{problem}; {_last_words(said, outcome)}")
        if said.trouble and not said.answer:
            raise AdvisorError(f"{self.label}: {one_line(said.trouble)}")
        try:
            answer = parse(said.answer)
        except AdvisorError as error:
            problem = f"{self.label} {outcome.how_it_ended}: {error}"
            raise AdvisorError(f"{problem}; {_last_words(said, outcome)}") from error
        if outcome.exit_code != 0:
            _log.warning(
                "%s %s, but its answer is valid and counts", self.label, outcome.how_it_ended
            )
        return answer


def _last_words(said: Said, outcome: Outcome) -> str:
    if trouble := one_line(said.trouble):
        return f"it said: {trouble}"
    text = one_line(said.answer) or one_line(outcome.stdout) or one_line(outcome.stderr)
    return f"it printed: {text}" if text else "it printed nothing"

"""The backend that asks any program for a verdict: prompt in, answer out, nothing else believed."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from os import defpath
from pathlib import Path
from signal import Signals

from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.adapters.advisor.prompts import build_judge_prompt
from antidriftd.adapters.advisor.replies import one_line, parse_verdict
from antidriftd.core.model import Commitment, Verdict, Window
from antidriftd.programs.environment import program_environ
from antidriftd.programs.errors import ProgramError
from antidriftd.programs.lookup import find_program, split_command
from antidriftd.programs.process import STREAM_CAP_BYTES, Ending, Outcome, run_program

_log = logging.getLogger(__name__)


def command_drift_judge(
    command: str, *, timeout_secs: float, environ: Mapping[str, str], pass_env: Iterable[str] = ()
) -> "CommandDriftJudge":
    """Return the judge that runs `command`; its program is looked up here, once.

    `environ` is the daemon's own: the program gets a part of it, and what `pass_env` names.

    Raises:
        ValueError: `command` is empty or badly quoted.
        ProgramError: its program is missing, or is not safe to run.
    """
    name, *arguments = split_command(command)
    program = find_program(name, environ.get("PATH", defpath))
    return CommandDriftJudge(
        [program, *arguments],
        timeout_secs=timeout_secs,
        environ=program_environ(environ, pass_env),
    )


class CommandDriftJudge:
    """Asks a program: the prompt goes to its standard input, the verdict is in what it prints."""

    name = "command"
    free = False

    def __init__(
        self, argv: Sequence[str], *, timeout_secs: float, environ: Mapping[str, str]
    ) -> None:
        """Take `argv` with an absolute path first, and all of the environment it is to get."""
        self._argv = argv
        self._timeout_secs = timeout_secs
        self._environ = environ

    def text_for(self, commitment: Commitment, window: Window) -> str:
        """Return what the program would get on standard input."""
        return build_judge_prompt(commitment, window)

    async def judge(self, commitment: Commitment, window: Window) -> Verdict:
        """Return the program's verdict on `window`; see `DriftJudge.judge`."""
        try:
            outcome = await run_program(
                self._argv,
                prompt=self.text_for(commitment, window).encode(),
                timeout_secs=self._timeout_secs,
                environ=self._environ,
            )
        except ProgramError as error:
            raise AdvisorError(str(error)) from error
        program = Path(self._argv[0]).name
        if outcome.ending is Ending.TIMED_OUT:
            raise AdvisorError(
                f"{program} gave no answer in {self._timeout_secs:g} s; {_printed(outcome)}"
            )
        try:
            verdict = parse_verdict(outcome.stdout, untrusted=window.title)
        except AdvisorError as error:
            raise AdvisorError(
                f"{program} {_ending(outcome)}: {error}; {_printed(outcome)}"
            ) from error
        if outcome.exit_code != 0:
            _log.warning("%s %s, but its answer is valid and counts", program, _ending(outcome))
        return verdict


def _ending(outcome: Outcome) -> str:
    match outcome.exit_code:
        case None:
            return f"was ended after printing {STREAM_CAP_BYTES // 1024} KiB"
        case code if code < 0:
            return f"was ended by {_signal_name(-code)}"
        case code:
            return f"exited with code {code}"


def _signal_name(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:  # the real-time signals have no names
        return f"signal {number}"


def _printed(outcome: Outcome) -> str:
    text = one_line(outcome.stdout) or one_line(outcome.stderr)
    return f"it printed: {text}" if text else "it printed nothing"

"""Hooks that are programs: each gets what happened on standard input."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from antidriftd.adapters.hooks.port import HookError
from antidriftd.core.model import HookName
from antidriftd.programs.environment import program_environ
from antidriftd.programs.errors import ProgramError
from antidriftd.programs.lookup import find_program
from antidriftd.programs.process import Ending, Outcome, run_program
from protocol.visible import one_line

TIMEOUT_SECS = 30.0
_QUOTED_CHARS = 200


class ProgramHooks:
    """Runs the programs; they are looked up each time, so that one may be installed later."""

    def __init__(
        self,
        commands: Mapping[HookName, Sequence[str]],
        *,
        environ: Mapping[str, str],
        pass_env: Sequence[str] = (),
        timeout_secs: float = TIMEOUT_SECS,
    ) -> None:
        """Take each hook's program and arguments; its environment is that of AI programs."""
        self._commands = commands
        self._path = environ.get("PATH", "")
        self._environ = program_environ(environ, pass_env)
        self._timeout_secs = timeout_secs

    async def run(self, hook: HookName, event: bytes) -> None:
        """Run the program of this hook; see `Hooks.run`."""
        name, *arguments = self._commands[hook]
        try:
            outcome = await run_program(
                [find_program(name, self._path), *arguments],
                prompt=event,
                timeout_secs=self._timeout_secs,
                environ=self._environ,
            )
        except ProgramError as error:
            raise HookError(str(error)) from error
        if outcome.ending is Ending.TIMED_OUT:
            raise HookError(f"{Path(name).name} was ended after {self._timeout_secs:g} s")
        if outcome.exit_code != 0:
            raise HookError(f"{Path(name).name} {outcome.how_it_ended}{_printed(outcome)}")


def _printed(outcome: Outcome) -> str:
    words = one_line(outcome.stderr.decode(errors="replace"))[:_QUOTED_CHARS]
    return f": {words}" if words else ""

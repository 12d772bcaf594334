"""Custody behind two programs: one prints the text, one takes it; nothing else is known."""

import json
from collections.abc import Mapping
from os import defpath

from antidriftd.adapters.custody.port import Order, Reading, Standing
from antidriftd.core.knowledge.bindings import CommandBinding
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.marker import Node
from antidriftd.core.knowledge.model import CustodyKind
from antidriftd.core.knowledge.settling import compare
from antidriftd.programs.environment import program_environ
from antidriftd.programs.errors import ProgramError
from antidriftd.programs.lookup import find_program
from antidriftd.programs.process import Ending, Outcome, run_program

_TIMEOUT_SECS = 30.0


class CommandCustody:
    """The one text of a command base."""

    kind: CustodyKind = "command"
    limits = "no identity, no snapshot, no review phase known"

    def __init__(self, base: CommandBinding, owner: str, environ: Mapping[str, str]) -> None:
        """Take the owner from the bindings: a command has no marker to name one."""
        self._base = base
        self._owner = owner
        self._environ = environ

    async def read(self) -> Reading:
        """Return what the program prints; see `Custody.read`."""
        outcome = await self._run(self._base.read)
        if outcome.ending is Ending.TOO_MUCH:
            raise CustodyError("E_TOO_LARGE", f"`{self._base.read[0]}` prints too much")
        if outcome.ending is not Ending.EXITED or outcome.exit_code != 0:
            message = f"`{self._base.read[0]}` {_end_of(outcome)}; run the read command by hand"
            raise CustodyError("E_ACCESS", message)
        return Reading(
            content=outcome.stdout,
            base_id=self._base.id,
            node=Node(self._base.node, self._owner),
            locator={
                "node": self._base.node,
                "read": json.dumps(self._base.read),
                "write": json.dumps(self._base.write),
            },
        )

    async def publish(self, order: Order) -> None:
        """Give the text to the program, once; see `Custody.publish`."""
        if (await self.read()).content != order.proposal.before:
            message = f"what `{self._base.read[0]}` prints has changed since it was judged from"
            raise CustodyError("E_STALE", message)
        outcome = await self._run(self._base.write, order.proposal.after)
        if outcome.ending is Ending.EXITED and outcome.exit_code == 0:
            return
        content = (await self.read()).content
        if compare(content, order.proposal) == "before":
            message = f"`{self._base.write[0]}` {_end_of(outcome)}, and nothing has changed"
            raise CustodyError("E_ACCESS", message)
        message = f"`{self._base.write[0]}` {_end_of(outcome)}; see: antidrift harvest refresh"
        raise CustodyError("E_UNCERTAIN", message)

    async def check(self, order: Order) -> Standing:
        """Return what the program prints now; see `Custody.check`."""
        match compare((await self.read()).content, order.proposal):
            case "before":
                return "unpublished"
            case "after" | "edited":
                return "applied"
            case _:
                return "uncertain"

    async def _run(self, argv: tuple[str, ...], stdin: bytes = b"") -> Outcome:
        try:
            program = find_program(argv[0], self._environ.get("PATH", defpath))
            return await run_program(
                [program, *argv[1:]],
                prompt=stdin,
                timeout_secs=_TIMEOUT_SECS,
                environ=program_environ(self._environ),
            )
        except ProgramError as error:
            raise CustodyError("E_ACCESS", f"base {self._base.name}: {error}") from error


def _end_of(outcome: Outcome) -> str:
    if outcome.ending is Ending.TIMED_OUT:
        return f"gave no answer in {_TIMEOUT_SECS:g} s"
    return outcome.how_it_ended

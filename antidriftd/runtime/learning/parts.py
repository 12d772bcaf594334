"""What learning works with, and how its blocking parts are called."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar, TypeVarTuple

import trio

from antidriftd.adapters.advisor.port import EvidenceJudge
from antidriftd.adapters.custody.port import Bases
from antidriftd.adapters.evidence.port import Evidence
from antidriftd.core.knowledge.bindings import Bindings
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.model import instant
from antidriftd.runtime.clock import Clock

_T = TypeVar("_T")
_A = TypeVarTuple("_A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The ports of learning; without a `judge` nothing can be harvested."""

    bases: Bases
    evidence: Evidence
    judge: EvidenceJudge | None
    clock: Clock
    one_at_a_time: trio.Lock = field(default_factory=trio.Lock)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Be the only writer for a while.

        Raises:
            CustodyError: `E_BUSY`, another daemon is.
        """
        async with self.one_at_a_time:
            with self.evidence.lock():
                yield

    async def bound(self) -> Bindings:
        """Return the bindings.

        Raises:
            CustodyError: `E_UNBOUND`, there are none; `E_BINDINGS`, they can't be meant.
        """
        found = await self.bases.bindings()
        if found is None:
            message = f"there is no {self.bases.path}; make it with: antidrift knowledge init"
            raise CustodyError("E_UNBOUND", message)
        return found

    def now(self) -> str:
        """Return the time, as files have it."""
        return instant(self.clock.now().utc)


async def in_thread(work: Callable[[*_A], _T], *args: *_A) -> _T:
    """Return what blocking work returns.

    Raises:
        CustodyError: `E_ACCESS`, the disk refuses, besides what the work raises itself.
    """
    try:
        return await trio.to_thread.run_sync(work, *args)
    except OSError as error:
        message = f"the evidence can't be kept: {error.strerror or error}"
        raise CustodyError("E_ACCESS", message) from error

"""Moves a run on: by a receipt that is on disk before anything follows from it."""

from dataclasses import replace
from typing import TypedDict, Unpack

from antidriftd.core.knowledge.model import Destination
from antidriftd.core.knowledge.runs import Run, RunState, next_receipt
from antidriftd.runtime.learning.parts import Parts, in_thread


class Change(TypedDict, total=False):
    """What a receipt may say besides the state; see `Receipt`."""

    code: str
    baseline: str
    commit: str
    attempt: int
    linked: str
    rebound: Destination
    reason: str
    limits: str


async def move(parts: Parts, run: Run, state: RunState, **change: Unpack[Change]) -> Run:
    """Return the run in another state, with the receipt of it on disk.

    Raises:
        CustodyError: `E_INPUT`, it can't get there from where it is; `E_ACCESS`, the disk refuses.
    """
    receipt = replace(next_receipt(run, state, parts.now()), **change)
    return await in_thread(parts.evidence.runs.add, receipt)

"""Which evidence a harvest takes on: what no run has, of one destination, oldest first."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from antidriftd.core.knowledge.errors import CustodyCode, CustodyError
from antidriftd.core.knowledge.model import Destination, Input
from antidriftd.core.knowledge.runs import Run

MAX_CLAIM_BYTES = 48 * 1024

Inputs = Mapping[str, tuple[Input, int]]


class Picked(NamedTuple):
    """What a run would take on."""

    inputs: tuple[str, ...]
    owner: str
    destination: Destination


def unclaimed(inputs: Iterable[str], runs: Iterable[Run]) -> list[str]:
    """Return those of the inputs that no run has or had, in the same order."""
    taken = {each for run in runs if not run.rebound for each in run.claim.inputs}
    return [each for each in inputs if each not in taken]


def occupying(runs: Iterable[Run], destination: Destination) -> Run | None:
    """Return the run that has to be finished before another may begin for a node."""
    for run in runs:
        same = _node(run.claim.destination) == _node(destination)
        if same and (run.is_unfinished or run.state == "delivered"):
            return run
    return None


def pick(
    inputs: Inputs,
    destinations: Mapping[str, Destination],
    runs: Iterable[Run],
    *,
    include_incomplete: bool,
) -> Picked | None:
    """Return what to take on; None if there is nothing.

    `destinations` are where inputs go that were sent elsewhere.

    Raises:
        CustodyError: `E_BUSY` or `E_BRANCH`, a run for the same node isn't finished;
            `E_TOO_LARGE`, an input is too large to be judged.
    """
    runs = list(runs)
    free = [
        each for each in unclaimed(inputs, runs) if inputs[each][0].complete or include_incomplete
    ]
    busy: Run | None = None
    for first in free:
        where = destinations.get(first, inputs[first][0].destination)
        occupied = occupying(runs, where)
        if occupied is None:
            return _whole(first, where, free, inputs, destinations)
        busy = busy or occupied
    if busy is not None:
        code: CustodyCode = "E_BRANCH" if busy.state == "delivered" else "E_BUSY"
        message = f"{busy.run} is {busy.state}; finish it first: antidrift harvest show {busy.run}"
        raise CustodyError(code, message)
    return None


def _whole(
    first: str,
    where: Destination,
    free: list[str],
    inputs: Inputs,
    destinations: Mapping[str, Destination],
) -> Picked:
    owner, room, chosen = inputs[first][0].owner, MAX_CLAIM_BYTES, []
    for each in free:
        packet, size = inputs[each]
        same = destinations.get(each, packet.destination)
        if _place(same) != _place(where) or packet.owner != owner:
            continue
        if size > room:
            break
        chosen.append(each)
        room -= size
    if not chosen:
        message = f"input {first[:8]} is larger than {MAX_CLAIM_BYTES} bytes; forget it"
        raise CustodyError("E_TOO_LARGE", message)
    return Picked(tuple(chosen), owner, where)


def _node(destination: Destination) -> tuple[str, str]:
    return destination.base_id, destination.ref.partition("/")[2]


def _place(destination: Destination) -> tuple[object, ...]:
    return (*_node(destination), destination.kind, tuple(sorted(destination.locator.items())))

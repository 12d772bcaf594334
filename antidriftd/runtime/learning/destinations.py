"""Resolves where evidence is meant to go, and makes sure later that it is still the same place."""

from typing import NamedTuple

from antidriftd.adapters.custody.port import Bases, Custody, Reading
from antidriftd.core.knowledge.bindings import Binding, Bindings
from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.model import Destination
from antidriftd.core.knowledge.refs import Ref, parse_ref


class Confirmed(NamedTuple):
    """A node that is what it was said to be, and its content."""

    custody: Custody
    reading: Reading


async def resolve(bases: Bases, bindings: Bindings, ref: Ref) -> Destination:
    """Return the destination that `ref` is now.

    Raises:
        CustodyError: it can't be had, is another base than bound, or is somebody else's.
    """
    base = bindings.base_of(ref)
    custody = bases.custody(base, ref.node)
    reading = await custody.read()
    _require_same(reading, base, bindings.owner, ref)
    return Destination(
        ref=str(ref),
        base_id=base.id,
        kind=custody.kind,
        locator=dict(reading.locator),
        bindings=bindings.digest,
    )


async def confirm(
    bases: Bases, bindings: Bindings, owner: str, destination: Destination
) -> Confirmed:
    """Return the node that was resolved once, if it is still that node.

    A base is known by its id, so that it may be called otherwise by now.

    Raises:
        CustodyError: it isn't, or can't be had.
    """
    ref = parse_ref(destination.ref)
    found = [base for base in bindings.bases.values() if base.id == destination.base_id]
    if not found:
        message = f"base {destination.base_id} is not bound any more; bind it, or: {_REBIND}"
        raise CustodyError("E_BASE", message)
    base = found[0]
    custody = bases.custody(base, ref.node)
    reading = await custody.read()
    _require_same(reading, base, owner, ref)
    if bindings.owner != owner:
        message = f"the evidence is {owner}'s, and the bindings say {bindings.owner}"
        raise CustodyError("E_OWNER", message)
    if custody.kind != destination.kind or dict(reading.locator) != dict(destination.locator):
        message = f"node {ref} lies elsewhere since the evidence was taken; {_REBIND}"
        raise CustodyError("E_IDENTITY", message)
    return Confirmed(custody, reading)


_REBIND = "antidrift harvest rebind sends it elsewhere"


def _require_same(reading: Reading, base: Binding, owner: str, ref: Ref) -> None:
    if reading.base_id != base.id:
        message = f"the marker of base {base.name} says {reading.base_id}, bindings say {base.id}"
        raise CustodyError("E_IDENTITY", message)
    if reading.node.owner != owner:
        message = (
            f"node {ref} belongs to {reading.node.owner}, bindings say {owner}; fix the binding, "
            "or make a new node with: antidrift knowledge init"
        )
        raise CustodyError("E_OWNER", message)

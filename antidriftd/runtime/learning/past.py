"""What earlier harvests put into a node, and what of it the person took out again."""

from typing import NamedTuple

from antidriftd.adapters.evidence.port import RunFiles
from antidriftd.core.knowledge.model import Destination
from antidriftd.core.knowledge.proposing import gone_ids
from antidriftd.core.knowledge.section import Section


class Past(NamedTuple):
    """Lines as they were accepted, by `id.revision`, and the texts that were retired since."""

    lines: dict[str, str]
    retired: tuple[str, ...]


def past_of(runs: RunFiles, destination: Destination, section: Section) -> Past:
    """Return what is known of a node from the proposals that were accepted."""
    lines: dict[str, str] = {}
    texts: dict[str, str] = {}
    superseded: set[str] = set()
    for run in runs.read_all().values():
        same = run.claim.destination.base_id == destination.base_id
        if not same or run.claim.destination.ref != destination.ref:
            continue
        proposal = runs.proposal(run.run) if run.state in {"applied", "accepted"} else None
        if proposal is not None:
            lines |= {each.mark: each.line for each in proposal.operations}
            texts |= {each.id: each.text for each in proposal.operations}
            superseded |= gone_ids(proposal.operations)
    gone = texts.keys() - section.entries().keys() - superseded
    return Past(lines, tuple(text for id_, text in texts.items() if id_ in gone))

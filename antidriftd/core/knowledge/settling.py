"""What a node's content tells of a publication: whether it is there, and whether anybody wrote."""

from typing import Literal

from antidriftd.core.knowledge.proposing import Proposal, gone_ids
from antidriftd.core.knowledge.section import marks_in

Finding = Literal["before", "after", "edited", "other", "partly"]


def compare(content: bytes, proposal: Proposal) -> Finding:
    """Return how `content` relates to a proposal.

    `before` and `after` are the very bytes; `edited`: all that was proposed is there, and somebody
    wrote since; `other`: none of it; `partly`: some of it.
    """
    if content == proposal.after:
        return "after"
    if content == proposal.before:
        return "before"
    there = marks_in(content)
    wanted = {operation.mark for operation in proposal.operations}
    if wanted <= there:
        return "edited"
    return "partly" if wanted & there else "other"


def is_taken_in(content: bytes, proposal: Proposal) -> bool:
    """Return whether a merge, however it was made, has brought the proposal into `content`."""
    there = marks_in(content)
    ids = {mark.partition(".")[0] for mark in there}
    wanted = {operation.mark for operation in proposal.operations}
    return wanted <= there and not gone_ids(proposal.operations) & ids

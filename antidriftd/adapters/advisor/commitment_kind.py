"""What kind of commitment one is, so that what was learned under one serves others like it."""

from antidriftd.core.model import Commitment


def kind_of(commitment: Commitment) -> str:
    """Return the kind: two commitments are alike when their next actions have the same words."""
    return " ".join(commitment.next_action.casefold().split())

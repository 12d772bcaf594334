"""What receipts prove: where a run stands, and that nobody tampered with them."""

from dataclasses import replace
from itertools import permutations
from typing import get_args

import pytest

from antidriftd.core.knowledge.errors import CustodyError
from antidriftd.core.knowledge.model import Destination
from antidriftd.core.knowledge.runs import (
    NEXT,
    Claim,
    Receipt,
    RunState,
    fold,
    next_receipt,
    run_key,
)

CLAIM = Claim(
    inputs=("a", "b"),
    owner="o",
    destination=Destination(ref="me/x", base_id="m", kind="directory", locator={}, bindings=""),
    judge="fake 1",
)
FIRST = Receipt(run="r-1", seq=1, at="2026-11-30T10:00:00Z", state="claimed", claim=CLAIM)


def chain(*states: RunState) -> list[tuple[str, Receipt]]:
    """Return receipts that lead through these states, each with a made-up hash."""
    found = [("h1", FIRST)]
    for state in states:
        receipt = next_receipt(fold(found), state, "2026-11-30T10:00:00Z")
        found.append((f"h{receipt.seq}", receipt))
    return found


def test_the_order_in_which_receipts_are_found_does_not_matter() -> None:
    receipts = chain("judging", "proposed", "publishing")
    for shuffled in permutations(receipts):
        assert fold(shuffled).state == "publishing"


def test_a_receipt_that_is_missing_is_noticed() -> None:
    receipts = chain("judging", "proposed", "publishing")
    for n in range(len(receipts) - 1):
        with pytest.raises(CustodyError, match="E_INPUT"):
            fold(receipts[:n] + receipts[n + 1 :])


def test_a_receipt_of_another_history_is_noticed() -> None:
    receipts = chain("judging", "proposed")
    receipts[-1] = ("h3", replace(receipts[-1][1], previous="h9"))
    with pytest.raises(CustodyError, match="contradict"):
        fold(receipts)


def test_no_state_leads_where_it_may_not() -> None:
    assert set(NEXT) == set(get_args(RunState))
    run = fold(chain("judging", "no-change"))
    for state in get_args(RunState):
        with pytest.raises(CustodyError, match="can't become"):
            next_receipt(run, state, "")


def test_every_unfinished_run_can_be_closed() -> None:
    """Nothing can be stuck for ever; only what is being written waits for what is seen of it."""
    for state in get_args(RunState):
        seen, reached = {state}, [state]
        while reached:
            more = NEXT[reached.pop()] - seen
            seen |= more
            reached += more
        assert seen & {"no-change", "applied", "accepted", "rejected"}


def test_the_same_request_has_the_same_key_and_any_other_another() -> None:
    key = run_key(CLAIM, "sha256:1")
    assert run_key(replace(CLAIM, inputs=("b", "a")), "sha256:1") == key
    elsewhere = replace(CLAIM.destination, base_id="n")
    others = [
        run_key(CLAIM, "sha256:2"),
        run_key(replace(CLAIM, inputs=("a",)), "sha256:1"),
        run_key(replace(CLAIM, judge="fake 2"), "sha256:1"),
        run_key(replace(CLAIM, after="r-0"), "sha256:1"),
        run_key(replace(CLAIM, destination=elsewhere), "sha256:1"),
    ]
    assert len({key, *others}) == 6

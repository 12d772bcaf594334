"""When the state is written to disk, and what is said when the disk refuses."""

from antidriftd.core import recording
from antidriftd.core.backoff import backoff_secs
from antidriftd.core.events import SnapshotFailed, SnapshotSaved
from antidriftd.core.model import Moment, Proposal
from antidriftd.core.notices import SAVING_TOPIC, notify, withdraw
from antidriftd.core.replacing import replace
from antidriftd.core.state import Active, Planning, State

CHECKPOINT_SECS = 50.0
"""A running session's evidence is written this often, so that a kill costs less than a minute."""

_FIRST_RETRY_SECS = 1.0
_LONGEST_RETRY_SECS = 30.0


def command_given(state: State, now: Moment) -> State:
    """Return the state with the command of its own revision waiting for the disk."""
    waiting = replace(
        state.saving,
        commanded=state.revision,
        retry_at=None,
        checkpoint_at=now.mono + CHECKPOINT_SECS,
    )
    return replace(state, saving=waiting)


def answered(state: State, event: SnapshotSaved | SnapshotFailed, now: Moment) -> State:
    """Return the state after the disk took a save, or refused one: then it is tried again."""
    if isinstance(event, SnapshotFailed):
        return _failed(state, event, now)
    saved = max(state.saving.saved, event.revision)
    done = replace(state.saving, saved=saved, attempts=0, retry_at=None)
    state = withdraw(replace(state, saving=done), SAVING_TOPIC)
    return recording.saved(state, event.entries_to)


def _failed(state: State, event: SnapshotFailed, now: Moment) -> State:
    wait = backoff_secs(
        state.saving.attempts, first_secs=_FIRST_RETRY_SECS, longest_secs=_LONGEST_RETRY_SECS
    )
    trouble = replace(
        state.saving,
        failed=max(state.saving.failed, event.revision),
        attempts=state.saving.attempts + 1,
        retry_at=now.mono + wait,
    )
    text = f"not saved to disk, and tried again by itself: {event.detail}"
    return notify(replace(state, saving=trouble), SAVING_TOPIC, text)


def follow_up(before: State, state: State, now: Moment) -> tuple[State, bool]:
    """Return the state, and whether a save is due: by time alone, or because of a proposal."""
    plan = state.saving
    if plan.retry_at is not None and now.mono >= plan.retry_at:
        return replace(state, saving=replace(plan, retry_at=None)), True
    running = isinstance(state.phase, Active) and not state.phase.stale
    if running and now.mono >= plan.checkpoint_at:
        later = replace(plan, checkpoint_at=now.mono + CHECKPOINT_SECS)
        return replace(state, saving=later), plan.retry_at is None
    return state, _proposal(state) != _proposal(before)


def _proposal(state: State) -> Proposal | None:
    return state.phase.coaching.proposal if isinstance(state.phase, Planning) else None

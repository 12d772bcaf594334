"""States that are of now, for what counts along with the real clock."""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from protocol.views import State


def with_time_left(state: State, secs: float) -> State:
    """Return a session's `state`, moved so that it ends in `secs` and was counted just now."""
    assert state.commitment
    assert state.evidence
    moment = datetime.now(UTC)  # noqa: TID251 - the client under test asks the real clock too
    ends_at = moment + timedelta(seconds=secs)
    length = state.commitment.ends_at - state.commitment.started_at
    return replace(
        state,
        commitment=replace(state.commitment, started_at=ends_at - length, ends_at=ends_at),
        evidence=replace(state.evidence, as_of=moment),
    )

"""What goes into the history, and when.

An entry is written only after a snapshot that holds it is on disk, and leaves the snapshot only
after the history has it: whatever is cut off in between is written again under the same number.
"""

from collections.abc import Iterable
from dataclasses import astuple
from itertools import count

from antidriftd.core import ledger, titles
from antidriftd.core.backoff import backoff_secs
from antidriftd.core.effects import WriteHistory
from antidriftd.core.events import HistoryFailed, HistoryWritten
from antidriftd.core.ledger import Span
from antidriftd.core.model import Moment, Verdict, Window
from antidriftd.core.notices import HISTORY_TOPIC, UNREADABLE_TOPIC, notify, withdraw
from antidriftd.core.recording_state import (
    AnswerGiven,
    AnswerKind,
    Entry,
    Interval,
    Record,
    Recording,
    SessionEnded,
    SessionReviewed,
    VerdictGiven,
)
from antidriftd.core.replacing import replace
from antidriftd.core.state import Active, Review, Session, State, Told

MAX_WAITING = 5_000
"""A history that can't be written must not fill the snapshot: the oldest intervals go first."""

MAX_UNSETTLED = 32
"""So many spans wait for the next save before they are given to the history."""

MAX_BATCH = 500
_FIRST_RETRY_SECS = 1.0
_LONGEST_RETRY_SECS = 300.0


def follow_up(state: State, now: Moment) -> State:
    """Return the state with spans that nothing changes any more given to the history.

    Where something waits for it and may be written, that begins.
    """
    return _write_next(_settle_spans(state, now), now)


def _settle_spans(state: State, now: Moment) -> State:
    active = state.phase
    if not isinstance(active, Active) or not _is_time_to_settle(state, active, now):
        return state
    until = _settled_until(state, active, now)
    settled, rest = ledger.settle(active.session.spans, until)
    if not settled:
        return state
    session = replace(active.session, spans=rest)
    after = (rest[0].switches, rest[0].episodes)
    state, session = _record_spans(state, session, settled, after)
    return replace(state, phase=replace(active, session=session))


def _is_time_to_settle(state: State, active: Active, now: Moment) -> bool:
    """Return whether a save comes now, before which nothing is written anyway, or many wait."""
    saves = now.mono == state.commanded_at or now.mono >= state.saving.checkpoint_at
    return saves or len(active.session.spans) > MAX_UNSETTLED


def _settled_until(state: State, active: Active, now: Moment) -> float:
    until = now.boot
    if state.presence.last_input is not None:
        until = min(until, state.presence.last_input)
    return until if active.away is None else min(until, active.away.since)


def session_ended(state: State, review: Review) -> State:
    """Return the state with a session that is over, and the rest of its spans, to be written."""
    session, offset = review.session, state.utc_offset
    evidence, spans = session.evidence, session.spans
    totals = (evidence.switches, review.episodes)
    if not spans and totals != (session.told.switches, session.told.episodes):
        # What happened in no time at all, or in an absence that was cut, belongs to the session.
        spans = (Span(evidence.as_of.boot, 0.0, "", "", "unjudged"),)
    state, session = _record_spans(state, replace(session, spans=()), spans, totals)
    ended = SessionEnded(
        session_id=session.session_id,
        intent=session.intent,
        next_action=session.commitment.next_action,
        success_condition=session.commitment.success_condition,
        timebox_secs=session.commitment.timebox_secs,
        started=session.started + offset,
        ended=review.ended + offset,
        planned_end=session.ends + offset,
        ontask_secs=evidence.ontask_secs,
        drift_secs=evidence.drift_secs,
        unjudged_secs=evidence.unjudged_secs,
        away_secs=evidence.away_secs,
        switches=evidence.switches,
        drift_episodes=review.episodes,
    )
    return record(replace(state, phase=replace(review, session=session)), ended)


def _record_spans(
    state: State, session: Session, spans: Iterable[Span], after: tuple[int, int]
) -> tuple[State, Session]:
    """Give spans to the history; `after` are the switches and episodes when the next one begins."""
    rows = list(spans)
    counts = [*((span.switches, span.episodes) for span in rows[1:]), after]
    number, switches, episodes = astuple(session.told)
    intervals = []
    for span, (switches_then, episodes_then) in zip(rows, counts, strict=False):
        number += 1
        intervals.append(
            Interval(
                session_id=session.session_id,
                number=number,
                began=span.began + state.utc_offset,
                secs=span.secs,
                window_class=span.window_class,
                title=span.title,
                bucket=span.bucket,
                switches=switches_then - switches,
                drift_episodes=episodes_then - episodes,
            )
        )
        switches, episodes = switches_then, episodes_then
    return record(state, *intervals), replace(session, told=Told(number, switches, episodes))


def review_closed(state: State, session: Session, outcome: str, note: str) -> State:
    """Return the state with what was said of a session to be written."""
    said = SessionReviewed(session_id=session.session_id, outcome=outcome, note=note)
    return record(state, said)


def verdict_given(state: State, session: Session, window: Window, verdict: Verdict) -> State:
    """Return the state with a judge's verdict to be written; a reason may quote the title."""
    given = VerdictGiven(
        session_id=session.session_id,
        at=session.evidence.as_of.boot + state.utc_offset,
        window_class=titles.kept_class(window, state.rules),
        title=titles.kept_title(window, state.rules),
        on_task=verdict.on_task,
        reason=verdict.reason if titles.are_kept(window, state.rules) else "",
        shadow=state.rules.shadow,
    )
    return record(state, given)


def answer_given(
    state: State, session: Session, kind: AnswerKind, window: Window, cause: str = ""
) -> State:
    """Return the state with an answer of the person to be written."""
    given = AnswerGiven(
        session_id=session.session_id,
        at=session.evidence.as_of.boot + state.utc_offset,
        kind=kind,
        window_class=titles.kept_class(window, state.rules),
        title=titles.kept_title(window, state.rules),
        cause=cause,
        page=titles.kept_page(window, state.rules),
    )
    return record(state, given)


def record(state: State, *records: Record) -> State:
    """Return the state with these waiting for the history."""
    if not records:
        return state
    plan = state.recording
    numbered = map(Entry, count(plan.next_number), records)
    waiting = _bounded((*plan.waiting, *numbered))
    next_number = plan.next_number + len(records)
    return replace(state, recording=replace(plan, waiting=waiting, next_number=next_number))


def _bounded(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    excess = len(entries) - MAX_WAITING
    if excess <= 0:
        return entries
    oldest = [entry for entry in entries if isinstance(entry.record, Interval)][:excess]
    gone = {entry.number for entry in oldest}
    return tuple(entry for entry in entries if entry.number not in gone)


# --- writing ---------------------------------------------------------------------------------


def saved(state: State, entries_to: int) -> State:
    """Return the state after a snapshot with the entries up to a number is on disk."""
    plan = state.recording
    on_disk = max(plan.on_disk, min(entries_to, plan.next_number - 1))
    return _with(state, replace(plan, on_disk=on_disk))


def _write_next(state: State, now: Moment) -> State:
    plan = state.recording
    if plan.writing or (plan.retry_at is not None and now.mono < plan.retry_at):
        return state
    if not plan.waiting or plan.waiting[0].number > plan.on_disk:
        return state if plan.retry_at is None else _with(state, replace(plan, retry_at=None))
    due = [entry.number for entry in plan.waiting[:MAX_BATCH] if entry.number <= plan.on_disk]
    return _with(state, replace(plan, writing=due[-1], retry_at=None))


def changes(before: State, after: State) -> tuple[WriteHistory, ...]:
    """Return what to write because of the difference of two states."""
    plan = after.recording
    if not plan.writing or plan.writing == before.recording.writing:
        return ()
    return (batch(after),)


def batch(state: State) -> WriteHistory:
    """Return the entries that are being written."""
    plan = state.recording
    return WriteHistory(tuple(entry for entry in plan.waiting if entry.number <= plan.writing))


def answered(state: State, event: HistoryWritten | HistoryFailed, now: Moment) -> State:
    """Return the state after the history took a batch, or refused: then it is tried again."""
    plan = state.recording
    if isinstance(event, HistoryWritten):
        rest = tuple(entry for entry in plan.waiting if entry.number > event.number)
        plan = replace(plan, waiting=rest, writing=0, attempts=0, retry_at=None)
        state = withdraw(_with(state, plan), HISTORY_TOPIC)
        if event.trouble:
            state = notify(state, UNREADABLE_TOPIC, event.trouble, is_event=True)
        return state
    wait = backoff_secs(
        plan.attempts, first_secs=_FIRST_RETRY_SECS, longest_secs=_LONGEST_RETRY_SECS
    )
    plan = replace(plan, writing=0, attempts=plan.attempts + 1, retry_at=now.mono + wait)
    text = f"the history is not written, and tried again by itself: {event.detail}"
    return notify(_with(state, plan), HISTORY_TOPIC, text)


def _with(state: State, plan: Recording) -> State:
    return replace(state, recording=plan)

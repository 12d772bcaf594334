"""Between what waits for the history and its records."""

from typing import assert_never

from antidriftd.adapters.store.records import EntryRecord, ReviewRecord
from antidriftd.core.recording_state import (
    AnswerGiven,
    Entry,
    Interval,
    Record,
    SessionEnded,
    SessionReviewed,
    VerdictGiven,
)


def entry_record(entry: Entry) -> EntryRecord:
    """Return the record of an entry."""
    match entry.record:
        case SessionEnded() as session:
            return EntryRecord(entry.number, session=session)
        case SessionReviewed() as review:
            return EntryRecord(entry.number, review=review)
        case Interval() as interval:
            return EntryRecord(entry.number, interval=interval)
        case VerdictGiven() as verdict:
            return EntryRecord(entry.number, verdict=verdict)
        case AnswerGiven() as answer:
            return EntryRecord(entry.number, answer=answer)
        case _:
            assert_never(entry.record)


def core_entry(record: EntryRecord) -> Entry:
    """Return the entry of a record.

    Raises:
        ValueError: it holds none, or several.
    """
    parts: list[Record | None] = [
        record.session,
        record.review,
        record.interval,
        record.verdict,
        record.answer,
    ]
    (part,) = (each for each in parts if each is not None)
    return Entry(record.number, part)


def entries_of_review(review: ReviewRecord) -> tuple[Entry, ...]:
    """Return what the history is to have of a review that schema 1 kept in the snapshot."""
    session, evidence = review.session, review.session.evidence
    ended = SessionEnded(
        session_id=session.session_id,
        intent=session.intent,
        next_action=session.next_action,
        success_condition=session.success_condition,
        timebox_secs=session.timebox_secs,
        started=session.started_at.timestamp(),
        ended=review.ended_at.timestamp(),
        planned_end=session.ends_at.timestamp(),
        ontask_secs=evidence.ontask_secs,
        drift_secs=evidence.drift_secs,
        unjudged_secs=evidence.unjudged_secs,
        away_secs=evidence.away_secs,
        switches=evidence.switches,
        drift_episodes=evidence.episodes,
    )
    said = SessionReviewed(
        session_id=session.session_id, outcome=review.outcome or "", note=review.note
    )
    return (Entry(1, ended), Entry(2, said))

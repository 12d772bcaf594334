"""Between the core's sessions and their records."""

from collections.abc import Mapping
from types import MappingProxyType

from antidriftd.adapters.store.records import (
    AbsenceRecord,
    AllowanceRecord,
    ClassRecord,
    EvidenceRecord,
    KeyRecord,
    MomentRecord,
    SessionRecord,
    SpanRecord,
)
from antidriftd.adapters.store.times import as_datetime, boot_of, utc_of
from antidriftd.core.drift.page_key import Key
from antidriftd.core.evidence import Bucket, Evidence
from antidriftd.core.ledger import Span
from antidriftd.core.model import Allowance, Commitment, Moment
from antidriftd.core.presence_state import Absence
from antidriftd.core.state import Session


def session_record(session: Session, episodes: int, *, stale: bool) -> SessionRecord:
    """Return the record of a session."""
    as_of = session.evidence.as_of
    return SessionRecord(
        session_id=session.session_id,
        intent=session.intent,
        next_action=session.commitment.next_action,
        success_condition=session.commitment.success_condition,
        timebox_secs=session.commitment.timebox_secs,
        allowed=[AllowanceRecord(entry.kind, entry.value) for entry in session.allowances],
        started_at=utc_of(session.started, as_of),
        ends_at=utc_of(session.ends, as_of),
        stale=stale,
        evidence=_evidence(session.evidence, episodes),
        spans=[_span(span, as_of) for span in session.spans],
        told=session.told,
        condemned=[KeyRecord(key.program, key.page) for key in session.condemned],
    )


def _evidence(evidence: Evidence, episodes: int) -> EvidenceRecord:
    as_of = evidence.as_of
    return EvidenceRecord(
        as_of=MomentRecord(as_datetime(as_of.utc), as_of.boot, as_of.mono),
        ontask_secs=evidence.ontask_secs,
        drift_secs=evidence.drift_secs,
        unjudged_secs=evidence.unjudged_secs,
        away_secs=evidence.away_secs,
        switches=evidence.switches,
        episodes=episodes,
        last_class=evidence.last_class,
        by_class=[
            ClassRecord(window_class, bucket, secs)
            for (window_class, bucket), secs in evidence.by_class.items()
        ],
    )


def _span(span: Span, as_of: Moment) -> SpanRecord:
    return SpanRecord(
        began_at=utc_of(span.began, as_of),
        secs=span.secs,
        window_class=span.window_class,
        title=span.title,
        bucket=span.bucket,
        switches=span.switches,
        episodes=span.episodes,
    )


def absence_record(absence: Absence, as_of: Moment) -> AbsenceRecord:
    """Return the record of an absence."""
    since = utc_of(absence.since, as_of)
    return AbsenceRecord(absence.reason, since, absence.secs, absence.added)


def core_session(record: SessionRecord) -> Session:
    """Return the session of a record."""
    evidence = record.evidence
    as_of = Moment(
        mono=evidence.as_of.mono_secs,
        boot=evidence.as_of.boot_secs,
        utc=evidence.as_of.utc.timestamp(),
    )
    return Session(
        session_id=record.session_id,
        intent=record.intent,
        commitment=Commitment(record.next_action, record.success_condition, record.timebox_secs),
        allowances=tuple(Allowance(entry.kind, entry.value) for entry in record.allowed),
        started=boot_of(record.started_at, as_of),
        ends=boot_of(record.ends_at, as_of),
        evidence=Evidence(
            as_of=as_of,
            ontask_secs=evidence.ontask_secs,
            drift_secs=evidence.drift_secs,
            unjudged_secs=evidence.unjudged_secs,
            away_secs=evidence.away_secs,
            switches=evidence.switches,
            last_class=evidence.last_class,
            by_class=_by_class(evidence),
        ),
        spans=tuple(_core_span(span, as_of) for span in record.spans),
        told=record.told,
        condemned=tuple(Key(key.program, key.page) for key in record.condemned),
    )


def _by_class(evidence: EvidenceRecord) -> Mapping[tuple[str, Bucket], float]:
    return MappingProxyType(
        {(entry.window_class, entry.bucket): entry.secs for entry in evidence.by_class}
    )


def _core_span(record: SpanRecord, as_of: Moment) -> Span:
    return Span(
        began=boot_of(record.began_at, as_of),
        secs=record.secs,
        window_class=record.window_class,
        title=record.title,
        bucket=record.bucket,
        switches=record.switches,
        episodes=record.episodes,
    )


def core_absence(record: AbsenceRecord, as_of: Moment) -> Absence:
    """Return the absence of a record."""
    return Absence(record.reason, boot_of(record.since, as_of), record.secs, record.added)

"""Between the core's values and the bytes of the snapshot."""

import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import assert_never

import msgspec

from antidriftd.adapters.store.records import (
    SCHEMA,
    AllowanceRecord,
    Body,
    ClassRecord,
    DisplayRecord,
    Envelope,
    EvidenceRecord,
    MomentRecord,
    ProposalRecord,
    ReviewRecord,
    SchemaOnly,
    SessionRecord,
)
from antidriftd.core.drift.state import Drift
from antidriftd.core.evidence import Bucket, Evidence
from antidriftd.core.model import Allowance, Commitment, Display, Moment, Proposal
from antidriftd.core.planning_state import Coaching
from antidriftd.core.restore import Saved
from antidriftd.core.state import Active, ClosedReview, Idle, Phase, Planning, Review, Session


class NewerSchema(Exception):
    """The snapshot was written by a later version."""


class Unreadable(Exception):
    """This is no snapshot; the message says what is wrong with it."""


# --- to bytes --------------------------------------------------------------------------------


def encode(saved: Saved) -> bytes:
    """Return the file's contents."""
    body = msgspec.json.encode(_body(saved))
    return msgspec.json.encode(Envelope(SCHEMA, zlib.crc32(body), msgspec.Raw(body))) + b"\n"


def _body(saved: Saved) -> Body:
    intent, proposal, session, ended_at = "", None, None, None
    match saved.phase:
        case Idle():
            pass
        case Planning(intent=text, coaching=coaching):
            intent = text
            proposal = None if coaching.proposal is None else _proposal(coaching.proposal)
        case Active(session=running, drift=drift, stale=stale):
            session = _session(running, drift.episodes, stale=stale)
        case Review(session=over, episodes=episodes, ended=ended, stale=stale):
            session = _session(over, episodes, stale=stale)
            ended_at = _utc(ended, over.evidence.as_of)
        case _:
            assert_never(saved.phase)
    display = saved.display
    return Body(
        revision=saved.revision,
        boot_id=saved.boot_id,
        runtime=saved.phase.name,
        intent=intent,
        proposal=proposal,
        session=session,
        ended_at=ended_at,
        display=None if display is None else _display(display),
        last_review=None if saved.last_review is None else _review(saved.last_review),
    )


def _session(session: Session, episodes: int, *, stale: bool) -> SessionRecord:
    evidence, as_of = session.evidence, session.evidence.as_of
    return SessionRecord(
        session_id=session.session_id,
        intent=session.intent,
        next_action=session.commitment.next_action,
        success_condition=session.commitment.success_condition,
        timebox_secs=session.commitment.timebox_secs,
        allowed=[AllowanceRecord(entry.kind, entry.value) for entry in session.allowances],
        started_at=_utc(session.started, as_of),
        ends_at=_utc(session.ends, as_of),
        stale=stale,
        evidence=EvidenceRecord(
            as_of=MomentRecord(_datetime(as_of.utc), as_of.boot, as_of.mono),
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
        ),
    )


def _proposal(proposal: Proposal) -> ProposalRecord:
    return ProposalRecord(
        proposal.next_action,
        proposal.success_condition,
        proposal.timebox_secs,
        list(proposal.allowed_window_classes),
    )


def _display(display: Display) -> DisplayRecord:
    return DisplayRecord(display.name, display.xauthority, display.session_type)


def _review(closed: ClosedReview) -> ReviewRecord:
    return ReviewRecord(
        session=_session(closed.session, closed.episodes, stale=False),
        ended_at=_utc(closed.ended, closed.session.evidence.as_of),
        outcome=closed.outcome,
        note=closed.note,
    )


# --- from bytes ------------------------------------------------------------------------------


def decode(data: bytes) -> Saved:
    """Return what the file holds.

    Raises:
        NewerSchema: a later version wrote it.
        Unreadable: it is no snapshot of any version.
    """
    try:
        schema = msgspec.json.decode(data, type=SchemaOnly).schema
        if schema > SCHEMA:
            raise NewerSchema(f"it has schema {schema}, and this version knows {SCHEMA}")
        if schema < 1:
            raise Unreadable(f"no version ever wrote schema {schema}")
        envelope = msgspec.json.decode(data, type=Envelope)
        body = bytes(envelope.body)
        if zlib.crc32(body) != envelope.crc32:
            raise Unreadable("its checksum is wrong")
        return _saved(msgspec.json.decode(body, type=Body))
    except (ValueError, RecursionError, OverflowError) as error:
        raise Unreadable(str(error)[:200]) from error


def _saved(body: Body) -> Saved:
    return Saved(
        revision=body.revision,
        boot_id=body.boot_id,
        phase=_phase(body),
        display=None if body.display is None else _core_display(body.display),
        last_review=None if body.last_review is None else _closed(body.last_review),
    )


def _phase(body: Body) -> Phase:
    match body.runtime, body.session, body.ended_at:
        case "idle", None, None:
            return Idle()
        case "planning", None, None:
            return Planning(body.intent, _coaching(body.proposal))
        case "active", SessionRecord() as record, None:
            drift = Drift(episodes=record.evidence.episodes)
            return Active(_core_session(record), drift, stale=record.stale)
        case "review", SessionRecord() as record, datetime() as ended_at:
            session = _core_session(record)
            ended = _boot(ended_at, session.evidence.as_of)
            return Review(session, record.evidence.episodes, ended, stale=record.stale)
        case _:
            raise Unreadable("its parts contradict each other")


def _core_session(record: SessionRecord) -> Session:
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
        started=_boot(record.started_at, as_of),
        ends=_boot(record.ends_at, as_of),
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
    )


def _by_class(evidence: EvidenceRecord) -> Mapping[tuple[str, Bucket], float]:
    return MappingProxyType(
        {(entry.window_class, entry.bucket): entry.secs for entry in evidence.by_class}
    )


def _coaching(record: ProposalRecord | None) -> Coaching:
    if record is None:
        return Coaching()
    proposal = Proposal(
        record.next_action,
        record.success_condition,
        record.timebox_secs,
        tuple(record.allowed_window_classes),
    )
    return Coaching("ready", proposal=proposal)


def _core_display(record: DisplayRecord) -> Display:
    return Display(record.name, record.xauthority, record.session_type)


def _closed(record: ReviewRecord) -> ClosedReview:
    session = _core_session(record.session)
    return ClosedReview(
        session=session,
        episodes=record.session.evidence.episodes,
        ended=_boot(record.ended_at, session.evidence.as_of),
        outcome=record.outcome,
        note=record.note,
    )


# --- times -----------------------------------------------------------------------------------
# In the core a session's times are on the boot clock. On disk they are UTC, by what the two
# clocks said at `as_of`, so that the file can be read and holds across a reboot.


def _utc(boot: float, as_of: Moment) -> datetime:
    return _datetime(boot + (as_of.utc - as_of.boot))


def _boot(utc: datetime, as_of: Moment) -> float:
    return utc.timestamp() - as_of.utc + as_of.boot


def _datetime(utc: float) -> datetime:
    return datetime.fromtimestamp(utc, UTC)

"""Between the core's values and the bytes of the snapshot."""

import zlib
from datetime import datetime
from typing import assert_never

import msgspec

from antidriftd.adapters.store.entry_codec import core_entry, entries_of_review, entry_record
from antidriftd.adapters.store.records import (
    SCHEMA,
    Body,
    DisplayRecord,
    Envelope,
    ProposalRecord,
    SchemaOnly,
    SessionRecord,
)
from antidriftd.adapters.store.session_codec import (
    absence_record,
    core_absence,
    core_session,
    session_record,
)
from antidriftd.adapters.store.times import boot_of, utc_of
from antidriftd.core.drift.state import Drift
from antidriftd.core.model import Display, Proposal
from antidriftd.core.planning_state import Coaching
from antidriftd.core.presence_state import Away
from antidriftd.core.recording_state import Recording
from antidriftd.core.restore import Saved
from antidriftd.core.state import Active, Idle, Phase, Planning, Review


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
        case Active() as active:
            session = _active(active)
        case Review(session=over, episodes=episodes, ended=ended, stale=stale):
            session = session_record(over, episodes, stale=stale)
            ended_at = utc_of(ended, over.evidence.as_of)
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
        history=[entry_record(entry) for entry in saved.recording.waiting],
        next_entry=saved.recording.next_number,
    )


def _active(active: Active) -> SessionRecord:
    record = session_record(active.session, active.drift.episodes, stale=active.stale)
    as_of, away, absence = active.session.evidence.as_of, active.away, active.absence
    return msgspec.structs.replace(
        record,
        paused_at=None if away is None else utc_of(away.since, as_of),
        reminded=away is not None and away.reminded,
        absence=None if absence is None else absence_record(absence, as_of),
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
        recording=_recording(body),
    )


def _recording(body: Body) -> Recording:
    if body.last_review is not None:
        return Recording(waiting=entries_of_review(body.last_review), next_number=3)
    waiting = tuple(core_entry(entry) for entry in body.history)
    return Recording(waiting=waiting, next_number=body.next_entry)


def _phase(body: Body) -> Phase:
    match body.runtime, body.session, body.ended_at:
        case "idle", None, None:
            return Idle()
        case "planning", None, None:
            return Planning(body.intent, _coaching(body.proposal))
        case "active", SessionRecord() as record, None:
            return _core_active(record)
        case "review", SessionRecord() as record, datetime() as ended_at:
            session = core_session(record)
            ended = boot_of(ended_at, session.evidence.as_of)
            return Review(session, record.evidence.episodes, ended, stale=record.stale)
        case _:
            raise Unreadable("its parts contradict each other")


def _core_active(record: SessionRecord) -> Active:
    session = core_session(record)
    as_of, paused_at, absence = session.evidence.as_of, record.paused_at, record.absence
    away = None
    if paused_at is not None:
        away = Away("paused", boot_of(paused_at, as_of), reminded=record.reminded)
    return Active(
        session,
        Drift(episodes=record.evidence.episodes),
        stale=record.stale,
        away=away,
        absence=None if absence is None else core_absence(absence, as_of),
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

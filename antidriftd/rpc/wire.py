"""From the core's values to the protocol's views, and from params to commands."""

import os
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import assert_never

from antidriftd.core.drift.state import Drift, OpenDrift
from antidriftd.core.events import (
    AllowContext,
    CloseReview,
    DisallowContext,
    EnterPlanning,
    ExtendSession,
    OfferDisplay,
    StartSession,
)
from antidriftd.core.evidence import Evidence
from antidriftd.core.model import Display, Window
from antidriftd.core.state import Active, Idle, Planning, Review, Session, State
from protocol import jsonrpc, methods, views
from protocol.version import PROTOCOL_VERSION, VERSION

SHOWN_CLASSES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What this daemon is and where its files lie; `started` in seconds since 1970."""

    socket: str
    state_dir: str
    sensor: str
    ai: str
    started: float


def info_view(about: About) -> views.Info:
    """Return what `info` tells."""
    return views.Info(
        version=VERSION,
        protocol=PROTOCOL_VERSION,
        pid=os.getpid(),
        socket=about.socket,
        state_dir=about.state_dir,
        sensor=about.sensor,
        ai=about.ai,
        started_at=datetime.fromtimestamp(about.started, UTC),
    )


def encode_state(state: State) -> bytes:
    """Return the notification that tells a watching client of `state`."""
    return jsonrpc.encode_notification("state", state_view(state))


_MICROSECONDS = 6


def state_view(state: State) -> views.State:
    """Return the state as clients see it."""
    intent = ""
    commitment = drift = evidence = None
    match state.phase:
        case Idle():
            pass
        case Planning(intent=text):
            intent = text
        case Active(session=session, drift=current, stale=stale):
            intent = session.intent
            commitment = _commitment(state, session, stale=stale)
            drift = _drift(state, current)
            evidence = _evidence(session.evidence, current.episodes)
        case Review(session=session, episodes=episodes, stale=stale):
            intent = session.intent
            commitment = _commitment(state, session, stale=stale)
            evidence = _evidence(session.evidence, episodes)
        case _:
            assert_never(state.phase)
    return views.State(
        revision=state.revision,
        durable=state.saving.durable,
        runtime=state.phase.name,
        intent=intent,
        commitment=commitment,
        window=_window(state, state.window),
        drift=drift,
        evidence=evidence,
        sensor=views.Sensor(
            name=state.sensor.name,
            status="ok" if state.sensor.ok else "unavailable",
            detail=state.sensor.detail,
        ),
        notices=tuple(notice.text for notice in state.notices),
    )


def _commitment(state: State, session: Session, *, stale: bool) -> views.Commitment:
    allowed = session.allowances
    return views.Commitment(
        next_action=session.commitment.next_action,
        success_condition=session.commitment.success_condition,
        timebox_secs=session.commitment.timebox_secs,
        started_at=_instant(state, session.started),
        ends_at=_instant(state, session.ends),
        allowed_window_classes=tuple(entry.value for entry in allowed if entry.kind == "class"),
        allowed_window_titles=tuple(entry.value for entry in allowed if entry.kind == "title"),
        stale=stale,
    )


def _window(state: State, window: Window | None) -> views.Window | None:
    if window is None:
        return None
    return views.Window(
        window_class=window.window_class,
        instance=window.instance,
        title=window.title,
        since=_instant(state, state.window_since),
    )


def _subject(window: Window) -> views.Subject:
    return views.Subject(window_class=window.window_class, title=window.title)


def _drift(state: State, drift: Drift) -> views.Drift:
    return views.Drift(
        status=drift.status,
        reason=drift.reason,
        subject=None if state.window is None else _subject(state.window),
        since=_instant(state, drift.since),
        open_drift=None if drift.open is None else _open_drift(state, drift.open),
    )


def _open_drift(state: State, opened: OpenDrift) -> views.OpenDrift:
    return views.OpenDrift(
        subject=_subject(opened.window),
        reason=opened.reason,
        since=_instant(state, opened.since),
    )


def _evidence(evidence: Evidence, episodes: int) -> views.Evidence:
    largest = sorted(evidence.by_class.items(), key=lambda item: -item[1])[:SHOWN_CLASSES]
    return views.Evidence(
        as_of=datetime.fromtimestamp(evidence.as_of.utc, UTC),
        ontask_secs=_secs(evidence.ontask_secs),
        drift_secs=_secs(evidence.drift_secs),
        unjudged_secs=_secs(evidence.unjudged_secs),
        away_secs=_secs(evidence.away_secs),
        switches=evidence.switches,
        drift_episodes=episodes,
        by_class=tuple(
            views.ClassEvidence(window_class=window_class, status=bucket, secs=_secs(secs))
            for (window_class, bucket), secs in largest
        ),
    )


def _secs(secs: float) -> float:
    return round(secs, _MICROSECONDS)


def _instant(state: State, boot: float) -> datetime:
    return datetime.fromtimestamp(boot + state.utc_offset, UTC)


# --- params to commands ----------------------------------------------------------------------


def enter_planning(params: methods.PlanParams) -> EnterPlanning:
    """Return the command of `plan`."""
    return EnterPlanning(params.intent)


def start_session(params: methods.StartParams) -> StartSession:
    """Return the command of `start`, with a session id of its own."""
    return StartSession(
        session_id=uuid.uuid4().hex,
        next_action=params.next_action,
        success_condition=params.success_condition,
        timebox_secs=params.timebox_secs,
        allowed_window_classes=params.allowed_window_classes,
        allowed_window_titles=params.allowed_window_titles,
    )


def allow_context(params: methods.AnswerParams) -> AllowContext:
    """Return the command of `ontask`."""
    return AllowContext(params.window_class, params.window_title)


def disallow_context(params: methods.AnswerParams) -> DisallowContext:
    """Return the command of `disallow`."""
    return DisallowContext(params.window_class, params.window_title)


def extend_session(params: methods.ExtendParams) -> ExtendSession:
    """Return the command of `extend`."""
    return ExtendSession(params.secs)


def close_review(params: methods.ReviewParams) -> CloseReview:
    """Return the command of `review`."""
    return CloseReview(params.outcome, params.note)


def offer_display(params: methods.DisplayParams) -> OfferDisplay:
    """Return the command of `display`."""
    display = Display(params.display, params.xauthority or "", params.session_type or "")
    return OfferDisplay(display)

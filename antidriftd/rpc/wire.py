"""From the core's values to the protocol's views."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from antidriftd.core.custody_state import CustodyStatus
from antidriftd.core.drift.page_key import Key
from antidriftd.core.drift.state import Drift, OpenDrift
from antidriftd.core.model import Proposal, Window
from antidriftd.core.nudge_state import Nudge
from antidriftd.core.planning_state import Coaching
from antidriftd.core.state import Active, Idle, Planning, Review, State
from antidriftd.runtime.checkup import Found
from protocol import jsonrpc, views
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
    knowledge_path: str = ""
    """The default profile; empty when there is none to be used."""
    config: str = ""
    """The path of config.toml."""
    settings: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    """The value in force of each key, and where it came from."""


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
        knowledge_path=about.knowledge_path,
        started_at=datetime.fromtimestamp(about.started, UTC),
    )


def config_view(about: About) -> views.Config:
    """Return what `config` tells."""
    return views.Config(
        path=about.config,
        settings=tuple(
            views.Setting(
                key=key, value=tuple(value) if isinstance(value, list) else value, source=source
            )
            for key, (value, source) in about.settings.items()
        ),
    )


def diagnosis_view(found: Mapping[str, Found]) -> views.Diagnosis:
    """Return what `doctor` tells."""
    return views.Diagnosis(
        findings=tuple(
            views.Finding(name=name, status=each.status, detail=each.detail, remedy=each.remedy)
            for name, each in found.items()
        )
    )


def encode_state(state: State) -> bytes:
    """Return the notification that tells a watching client of `state`."""
    return jsonrpc.encode_notification("state", state_view(state))


_MICROSECONDS = 6


def state_view(state: State) -> views.State:
    """Return the state as clients see it."""
    phase = state.phase
    planning = phase if isinstance(phase, Planning) else None
    active = phase if isinstance(phase, Active) else None
    agreed = phase if isinstance(phase, Active | Review) else None
    return views.State(
        revision=state.revision,
        durable=state.saving.durable,
        runtime=phase.name,
        intent=planning.intent if planning else agreed.session.intent if agreed else "",
        commitment=_commitment(state, agreed) if agreed else None,
        window=_window(state, state.window),
        drift=_drift(state, active.drift) if active else None,
        away=_away(state, active) if active else None,
        absence=_absence(state, active) if active else None,
        evidence=_evidence(agreed) if agreed else None,
        coach=_coach(planning.coaching, state.rules.coach_name) if planning else None,
        knowledge=_knowledge(state) if planning else None,
        tasks=_tasks(state),
        nudge=_nudge(state, active.nudge) if active else None,
        harvest=learning_view(state.custody),
        sensor=views.Sensor(
            name=state.sensor.name,
            status="ok" if state.sensor.ok else "unavailable",
            detail=state.sensor.detail,
        ),
        notices=tuple(notice.text for notice in state.notices),
    )


def _commitment(state: State, agreed: Active | Review) -> views.Commitment:
    session, allowed = agreed.session, agreed.session.allowances
    return views.Commitment(
        next_action=session.commitment.next_action,
        success_condition=session.commitment.success_condition,
        timebox_secs=session.commitment.timebox_secs,
        started_at=instant(state, session.started),
        ends_at=instant(state, session.ends),
        allowed_window_classes=tuple(entry.value for entry in allowed if entry.kind == "class"),
        allowed_window_titles=tuple(entry.value for entry in allowed if entry.kind == "title"),
        off_task=tuple(map(_condemned, session.condemned)),
        stale=agreed.stale,
        paused_at=_paused_at(state, agreed),
    )


def _paused_at(state: State, agreed: Active | Review) -> datetime | None:
    pause = agreed.pause if isinstance(agreed, Active) else None
    return None if pause is None else instant(state, pause.since)


def _away(state: State, active: Active) -> views.Away | None:
    away = active.away
    if away is None:
        return None
    return views.Away(reason=away.reason, since=instant(state, away.since))


def _absence(state: State, active: Active) -> views.Absence | None:
    absence = active.absence
    if absence is None:
        return None
    return views.Absence(
        reason=absence.reason,
        since=instant(state, absence.since),
        secs=_secs(absence.secs),
        added=absence.added,
    )


def _window(state: State, window: Window | None) -> views.Window | None:
    if window is None:
        return None
    return views.Window(
        window_class=window.window_class,
        instance=window.instance,
        title=window.title,
        since=instant(state, state.window_since),
    )


def _condemned(key: Key) -> views.Subject:
    return views.Subject(window_class=key.program, title=key.page or "")


def subject_view(window: Window) -> views.Subject:
    """Return the window that a verdict is about."""
    return views.Subject(window_class=window.window_class, title=window.title)


def _drift(state: State, drift: Drift) -> views.Drift:
    return views.Drift(
        status=drift.status,
        reason=drift.reason,
        subject=None if state.window is None else subject_view(state.window),
        since=instant(state, drift.since),
        open_drift=None if drift.open is None else _open_drift(state, drift.open),
    )


def _open_drift(state: State, opened: OpenDrift) -> views.OpenDrift:
    return views.OpenDrift(
        subject=subject_view(opened.window),
        reason=opened.reason,
        since=instant(state, opened.since),
    )


def _evidence(agreed: Active | Review) -> views.Evidence:
    evidence = agreed.session.evidence
    largest = sorted(evidence.by_class.items(), key=lambda item: -item[1])[:SHOWN_CLASSES]
    return views.Evidence(
        as_of=datetime.fromtimestamp(evidence.as_of.utc, UTC),
        ontask_secs=_secs(evidence.ontask_secs),
        drift_secs=_secs(evidence.drift_secs),
        unjudged_secs=_secs(evidence.unjudged_secs),
        away_secs=_secs(evidence.away_secs),
        switches=evidence.switches,
        drift_episodes=agreed.drift.episodes if isinstance(agreed, Active) else agreed.episodes,
        by_class=tuple(
            views.ClassEvidence(window_class=window_class, status=bucket, secs=_secs(secs))
            for (window_class, bucket), secs in largest
        ),
    )


def _coach(coaching: Coaching, name: str) -> views.Coach:
    proposal = coaching.proposal
    return views.Coach(
        status=coaching.status,
        error=coaching.error,
        backend=name if proposal else "",
        proposal=None if proposal is None else _proposal(proposal),
    )


def _proposal(proposal: Proposal) -> views.Proposal:
    return views.Proposal(
        next_action=proposal.next_action,
        success_condition=proposal.success_condition,
        timebox_secs=proposal.timebox_secs,
        allowed_window_classes=proposal.allowed_window_classes,
    )


def _knowledge(state: State) -> views.Knowledge | None:
    seen = state.grounding
    if not state.rules.has_knowledge:
        return None
    return views.Knowledge(status=seen.status, path=seen.path, chars=len(seen.text), code=seen.code)


def learning_view(status: CustodyStatus) -> views.Learning | None:
    """Return how learning stands; None while nothing is bound."""
    if not status.bound:
        return None
    return views.Learning(
        capture=status.capture,
        code=status.code,
        pending=status.pending,
        judging=status.judging,
        proposed=status.proposed,
        held=status.held,
    )


def _tasks(state: State) -> views.Tasks | None:
    tasks = state.tasks
    shown = isinstance(state.phase, Planning) or (isinstance(state.phase, Idle) and tasks.asked)
    if not shown or not state.rules.has_tasks:
        return None
    items = (views.TaskItem(id=t.id, title=t.title, source=t.source) for t in tasks.items)
    return views.Tasks(status=tasks.status, error=tasks.error, items=tuple(items))


def _nudge(state: State, nudge: Nudge) -> views.Nudge | None:
    if not nudge.text:
        return None
    return views.Nudge(text=nudge.text, at=instant(state, nudge.at))


def _secs(secs: float) -> float:
    return round(secs, _MICROSECONDS)


def instant(state: State, boot: float) -> datetime:
    """Return a boot-clock time as clients see it."""
    return datetime.fromtimestamp(boot + state.utc_offset, UTC)
